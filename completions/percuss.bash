# Completion of percuss for bash. Installed as share/bash-completion/completions/percuss.

# Files with one of these endings, separated by '|', and folders.
_percuss_files()
{
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do
    if [ -d "$file" ] || [[ $file =~ \.($1)$ ]]; then COMPREPLY+=("$file"); fi
  done < <(compgen -f -- "$2")
}

_percuss_folders()
{
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$1")
}

_percuss_words()
{
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

# The options of a command, from its help.
_percuss_options()
{
  "$1" help "$2" 2>/dev/null | sed -n 's/^  \(--\{0,1\}[a-z][a-z-]*\).*/\1/p' | sort -u
}

# What may follow these words of 'percuss schema': names first, then keys. A kind is printed with all
# that is in it; its own keys come first.
_percuss_keys()
{
  local program=$1 words=() word
  shift
  for word; do
    if [ "${word#-}" = "$word" ]; then words+=("$word"); fi
  done
  "$program" schema "${words[@]}" 2>/dev/null | awk -v given="${#words[@]}" '
    /^[a-z_]+: / { part++; if (given == 0) print substr($1, 1, length($1) - 1) }
    /^  [a-z_]/ && given > 0 && part > 0 && (given > 1 || part == 1) && !seen[$1]++ { print $1 }'
}

_percuss()
{
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local commands="run solve identify view render report export check validate bench scenes schema demo"
  local scene="yaml|yml|json"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    _percuss_words "$commands help version --help --version" "$word"
    return
  fi
  # bash takes '--solver=ipm' for three words.
  if [ "$word" = "=" ]; then
    word=""
  elif [ "$before" = "=" ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $before in
    -o)
      case $command in
        render) _percuss_files "png|svg" "$word" ;;
        check) _percuss_files "svg" "$word" ;;
        report) _percuss_files "html" "$word" ;;
        export) _percuss_files "glb|csv" "$word" ;;
        *) _percuss_files "h5" "$word" ;;
      esac
      return
      ;;
    --dump-problems | fclib) _percuss_folders "$word" && return ;;
    --film) _percuss_files "mp4|webm" "$word" && return ;;
    --color) _percuss_words "speed spin percussion temperature resting group material largest goal exit velocity energy mass liquid displacement pressure vx sxx ux vy syy sxy stress martensite1 martensite2 austenite" "$word" && return ;;
    --view) _percuss_words "3d 2d front side top" "$word" && return ;;
    --camera-path) _percuss_files "csv" "$word" && return ;;
    --format) _percuss_words "vtk gltf csv" "$word" && return ;;
    --picture) _percuss_words "geometry wave bounds" "$word" && return ;;
    --against) _percuss_words "ker taper anti-taper decorated mass:" "$word" && return ;;
    --solver) _percuss_words "auto apgd ipm nsgs uzawa" "$word" && return ;;
    --threads | --duration | --steps | --tol | --max-iterations | --port | --time | --size | --fps | \
      --speed | --from | --to | --set | --camera | --look-at | --zoom | --follow | --points | --each | --member | --dump-steps | --dump-limit | --seed | --frames | --narrow | --runs | --widen)
      return
      ;;
  esac
  if [ "${word#-}" != "$word" ]; then
    _percuss_words "$(_percuss_options "${COMP_WORDS[0]}" "$command") --help" "$word"
    return
  fi
  case $command in
    run | identify) _percuss_files "$scene" "$word" ;;
    solve) _percuss_files "$scene|h5|hdf5" "$word" ;;
    view) _percuss_files "$scene|h5" "$word" ;;
    render) _percuss_files "$scene|h5" "$word" ;;
    check) _percuss_files "$scene|h5" "$word" ;;
    export) _percuss_files "h5" "$word" ;;
    report) _percuss_files "$scene|h5|csv" "$word" ;;
    validate) _percuss_words "$("${COMP_WORDS[0]}" validate --list 2>/dev/null)" "$word" ;;
    bench) _percuss_words "impact sweeps friction rigid gabion crowd chain continuum view drum fclib" "$word" ;;
    scenes)
      _percuss_folders "$word"
      ;;
    schema) _percuss_words "$(_percuss_keys "${COMP_WORDS[0]}" "${COMP_WORDS[@]:2:COMP_CWORD-2}")" "$word" ;;
    help) _percuss_words "$commands" "$word" ;;
  esac
}

complete -F _percuss percuss

# The page of viewer/ as four compressed files, which src/view/pages.c takes in, and the server.
pkg_check_modules(PERCUSS_MICROHTTPD REQUIRED IMPORTED_TARGET libmicrohttpd>=0.9.73)
find_program(NPM npm)
find_program(GZIP gzip)
if(NOT NPM OR NOT GZIP)
  message(FATAL_ERROR "The viewer needs npm and gzip; -DPERCUSS_VIEWER=OFF builds without it")
endif()

set(VIEWER ${CMAKE_SOURCE_DIR}/viewer)
set(PAGES ${CMAKE_BINARY_DIR}/pages)
set(PACKAGES ${VIEWER}/node_modules/.installed)
file(GLOB_RECURSE VIEWER_SOURCES CONFIGURE_DEPENDS ${VIEWER}/src/*)
set(PAGE_NAMES index.html main.js main.css legal.txt)
list(TRANSFORM PAGE_NAMES PREPEND ${PAGES}/ OUTPUT_VARIABLE PAGE_FILES)
list(TRANSFORM PAGE_FILES APPEND .gz OUTPUT_VARIABLE PAGE_PARTS)

# The packages are those of the lock file, and run no scripts of their own.
add_custom_command(
  OUTPUT ${PACKAGES}
  COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
  COMMAND ${CMAKE_COMMAND} -E touch ${PACKAGES}
  DEPENDS ${VIEWER}/package.json ${VIEWER}/package-lock.json
  WORKING_DIRECTORY ${VIEWER}
  COMMENT "Installing the packages of the page" VERBATIM)
# gzip and not Node.js compresses: the same bytes for every version of Node.js.
add_custom_command(
  OUTPUT ${PAGE_PARTS}
  COMMAND ${VIEWER}/build ${PAGES}
  COMMAND ${GZIP} -9nf ${PAGE_FILES}
  DEPENDS ${PACKAGES} ${VIEWER}/build ${VIEWER}/tsconfig.json ${VIEWER_SOURCES}
  COMMENT "Building the page" VERBATIM)
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/view/pages.c PROPERTIES
  COMPILE_DEFINITIONS PC_PAGES="${PAGES}" OBJECT_DEPENDS "${PAGE_PARTS}")
# Only the server sees the folders of libmicrohttpd: with the viewer no other file is compiled again.
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/view/server.c PROPERTIES
  INCLUDE_DIRECTORIES "${PERCUSS_MICROHTTPD_INCLUDE_DIRS}")
target_link_libraries(percuss_library PUBLIC $<LINK_ONLY:PkgConfig::PERCUSS_MICROHTTPD>)

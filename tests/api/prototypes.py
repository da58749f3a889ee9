"""Reads the public headers: prototypes, structs, enumerations and function types.

Comments and preprocessor lines go away first; what is left is plain enough for regular expressions. A declaration that
cannot be read is an error, so that nothing is skipped.
"""
import re
from pathlib import Path


class Declarator:
    """A parameter or a field: its type without const, and how it is declared."""

    def __init__(self, text):
        text = re.sub(r"\s+", " ", text).strip()
        self.text = text = re.sub(r"\] \[", "][", text)
        self.callback = re.match(r"(.*)\(\*\s*(\w+)\)\s*\((.*)\)$", text)
        if self.callback:
            self.name, self.base, self.pointers, self.sizes = self.callback.group(2), "function", 1, []
            self.is_row = self.constant = False
            return
        match = re.match(r"((?:const |unsigned |struct )*\w+(?: const\b)?)\s*(.*)$", text)
        if match is None:
            raise SystemExit(f"cannot read the declaration '{text}'")
        self.base = re.sub(r"\bconst\b ?", "", match.group(1)).strip()
        rest = match.group(2)
        name = re.search(r"(\w+)\)?\s*((?:\[[^]]*\])*)$", rest)
        if name is None:
            raise SystemExit(f"cannot read the declaration '{text}'")
        self.name = name.group(1)
        self.sizes = re.findall(r"\[([^]]*)\]", name.group(2))
        self.pointers = rest.count("*")
        self.is_row = "(*" in rest  # a pointer to arrays: double (*points)[2]
        self.constant = text.startswith("const ")


class Function:
    def __init__(self, header, result, name, parameters):
        self.header, self.result, self.name = header, re.sub(r"\s+", " ", result).strip(), name
        inner = re.sub(r"\s+", " ", parameters).strip()
        parts = [] if inner == "void" else re.split(r",(?![^(]*\))", inner)
        self.parameters = [Declarator(part) for part in parts]


def plain(text):
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"^#ifdef __cplusplus.*?^#endif", "", text, flags=re.M | re.S)
    text = re.sub(r"^#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
    return re.sub(r"^static inline [^{]*\{.*?^\}", "", text, flags=re.M | re.S)


class Headers:
    def __init__(self, folder):
        self.functions, self.structs, self.enums, self.inlines, self.callbacks = [], {}, {}, [], set()
        for path in sorted(Path(folder).glob("*.h")):
            self.read(path.name, path.read_text(encoding="utf-8"))

    def read(self, header, whole):
        self.inlines += re.findall(r"^static inline [^(]*?(pc_\w+)\(", whole, flags=re.M)
        text = plain(whole)
        for name, body in re.findall(r"typedef struct (pc_\w+) \{([^}]*)\}", text):
            body = re.sub(r"PC_BALANCE_\w+\([^)]*\)", "", body)
            self.structs[name] = [field for line in body.split(";") if line.strip() for field in self.fields(line)]
        for name, body in re.findall(r"typedef enum (pc_\w+) \{([^}]*)\}", text):
            self.enums[name] = [re.sub(r"=.*", "", item).strip() for item in re.sub(r"\w+\([^)]*\)", "", body).split(",")
                                if item.strip()]
        text = re.sub(r"(typedef (?:struct|enum) pc_\w+|enum) \{[^}]*\}[^;]*;", ";", text)
        for statement in text.split(";"):
            statement = re.sub(r"\s+", " ", statement).strip()
            if statement == "" or statement.startswith("extern") or re.match(r"typedef struct \w+ \w+$", statement):
                continue
            match = re.match(r"typedef (.*?)\b(pc_\w+)\((.*)\)$", statement)
            if match:
                self.callbacks.add(match.group(2))
                continue
            match = re.match(r"([a-z][\w \*]*?)\b(pc_\w+)\s*\((.*)\)$", statement)
            if match is None:
                raise SystemExit(f"{header}: cannot read '{statement}'")
            self.functions.append(Function(header, *match.groups()))

    @staticmethod
    def fields(line):
        line = re.sub(r"\s+", " ", line).strip()
        parts = re.split(r",(?![^(]*\))", line)
        first = Declarator(parts[0])
        if first.callback:
            return [first]
        head = re.match(r"(?:const |unsigned |struct )*\w+ ", line).group(0)
        return [first] + [Declarator(head + part) for part in parts[1:]]

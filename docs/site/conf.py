"""The site of the documentation: `make site` (scripts/site) builds it from the Markdown of the repository.

Sphinx reads the pages where they are, so a link that works in the repository works on the site. The front page is
README.md, and the menu is the list in docs/README.md. Nothing is loaded from the network when a page is viewed, and
the search works from files too, because its index is a script.
"""

import os
import re

from sphinx.builders.html import StandaloneHTMLBuilder

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

project = "Percuss"
author = "The Percuss maintainers"
with open(os.path.join(ROOT, "CITATION.cff")) as citation:
    version = release = re.search(r"^version: (\S+)", citation.read(), re.M)[1]
language = "en"

extensions = ["myst_parser"]
root_doc = "README"
source_suffix = {".md": "markdown"}
include_patterns = ["*.md", "docs/*.md", "docs/theory/*.md", "scenes/README.md", "src/*/README.md", "bench/README.md",
                    "bench/peers/README.md", "validate/README.md", "viewer/README.md", "viewer/src/**/README.md",
                    "tests/*/README.md"]
myst_heading_anchors = 6
suppress_warnings = ["myst.header"]  # pages may go from a title to a third level

html_theme = "furo"
html_title = f"Percuss {version}"
html_static_path = ["static"]
html_css_files = ["percuss.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = False
html_favicon = html_logo = "static/logo.svg"
pygments_style = "friendly"
pygments_dark_style = "monokai"
highlight_language = "none"


def menu():
    """The headings and links of docs/README.md as tables of contents that only the menu shows."""
    with open(os.path.join(ROOT, "docs", "README.md")) as file:
        page = file.read()
    tables = []
    for caption, body in re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", page, re.M | re.S):
        links = re.findall(r"^- \[([^]]+)\]\(([^)#]+)\.md\)", body, re.M)
        paths = [(title, os.path.normpath(os.path.join("docs", path))) for title, path in links]
        entries = "\n".join(f"{title} <{path}>" for title, path in paths if path != root_doc)
        tables.append(f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{entries}\n```\n")
    return "\n".join(tables)


def adapt(_app, docname, source):
    """The front page gets the menu; a link to a folder leads to the folder's README."""
    folder = os.path.join(ROOT, os.path.dirname(docname))

    def to_readme(link):
        path = os.path.join(link[1], "README.md")
        return f"]({path})" if os.path.exists(os.path.join(folder, path)) else link[0]

    source[0] = re.sub(r"\]\(([^):#]+/)\)", to_readme, source[0])
    if docname == root_doc:
        source[0] += "\n" + menu()


def stand_alone(app, _doctree):
    """Pages outside the menu are reached by links, which is no fault."""
    app.env.metadata[app.env.docname]["orphan"] = True


class Builder(StandaloneHTMLBuilder):
    """A README is the index of its folder."""

    def page_name(self, docname):
        return re.sub(r"(^|/)README$", r"\1index", docname)

    def get_target_uri(self, docname, typ=None):
        return super().get_target_uri(self.page_name(docname), typ)

    def get_outfilename(self, pagename):
        return super().get_outfilename(self.page_name(pagename))

    def index_page(self, pagename, doctree, title):
        super().index_page(self.page_name(pagename), doctree, title)


def setup(app):
    app.add_builder(Builder, override=True)
    app.connect("source-read", adapt)
    app.connect("doctree-read", stand_alone)
    app.add_config_value("docs_menu", menu(), "env")  # a changed menu reads the front page anew

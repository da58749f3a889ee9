// The files of viewer/, bundled and compressed by the build, included by the assembler as they are.
// PC_PAGES is the folder where the build puts them.
#include "view/pages.h"

#include <string.h>

#define TAKE(symbol, file)                                                                         \
  __asm__(".pushsection .rodata\n"                                                                 \
          ".balign 16\n"                                                                           \
          ".globl pc_page_" #symbol "\n"                                                           \
          ".globl pc_page_" #symbol "_end\n"                                                       \
          ".hidden pc_page_" #symbol "\n"                                                          \
          ".hidden pc_page_" #symbol "_end\n"                                                      \
          "pc_page_" #symbol ":\n"                                                                 \
          ".incbin \"" PC_PAGES "/" file ".gz\"\n"                                                 \
          "pc_page_" #symbol "_end:\n"                                                             \
          ".byte 0\n"                                                                              \
          ".popsection\n");                                                                        \
  extern const unsigned char pc_page_##symbol[], pc_page_##symbol##_end[]

TAKE(index, "index.html");
TAKE(script, "main.js");
TAKE(style, "main.css");
TAKE(legal, "legal.txt");

const pc_page *pc_page_find(const char *name, pc_page *page)
{
  const struct {
    const char *name, *type;
    const unsigned char *begin, *end;
  } pages[] = {
      {"", "text/html; charset=utf-8", pc_page_index, pc_page_index_end},
      {"main.js", "text/javascript; charset=utf-8", pc_page_script, pc_page_script_end},
      {"main.css", "text/css; charset=utf-8", pc_page_style, pc_page_style_end},
      {"legal.txt", "text/plain; charset=utf-8", pc_page_legal, pc_page_legal_end},
  };
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
    if (strcmp(pages[i].name, name) == 0) {
      *page = (pc_page){pages[i].name, pages[i].type, pages[i].begin,
                        (size_t)(pages[i].end - pages[i].begin)};
      return page;
    }
  return NULL;
}

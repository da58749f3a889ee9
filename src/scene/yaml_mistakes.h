// What is likely meant where a text is not YAML.
#ifndef PERCUSS_SCENE_YAML_MISTAKES_H
#define PERCUSS_SCENE_YAML_MISTAKES_H

#include <stddef.h>
#include <yaml.h>

// Writes what is wrong, in the words of an author of scenes, and gives the line, from 1.
long pc_yaml_explain(const yaml_parser_t *parser, const char *text, size_t size, char *message,
                     size_t room);

#endif

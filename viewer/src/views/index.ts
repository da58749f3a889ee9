// All views. A new one is a module and a line here.
import type { ViewKind } from "../view";
import { chain } from "./chain";
import { continuum } from "./continuum";
import { crowd } from "./crowd";
import { plan } from "./plan";
import { space } from "./space/space";
import { sweep } from "./sweep";

export const VIEWS: ViewKind[] = [space, plan, crowd, chain, continuum, sweep];

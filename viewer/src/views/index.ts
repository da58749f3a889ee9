// All views. A new one is a module and a line here.
import type { ViewKind } from "../view";
import { plan } from "./plan";

export const VIEWS: ViewKind[] = [plan];

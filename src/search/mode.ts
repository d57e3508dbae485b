import { defineMode } from '../run/finish.ts';
import { runSearch } from './search.ts';
import { searchPresentation } from './summary.ts';

export const searchMode = defineMode({ run: runSearch, ...searchPresentation });

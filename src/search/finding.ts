/** Line and column, both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface YamlFinding extends Place {
  /** In our words: the parser's messages quote the file. */
  readonly problem: string;
}

/** A workflow command that took effect. */
export interface LogCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
  readonly stream: 'stdout' | 'stderr';
}

export interface AnnotationCommand {
  readonly type: 'notice' | 'warning' | 'error';
  readonly message: string;
  readonly title: string | undefined;
  readonly file: string | undefined;
  readonly line: number | undefined;
}

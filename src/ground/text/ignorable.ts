/** Such as soft hyphens and the spaces of width zero (Unicode, Default_Ignorable_Code_Point). */
const IGNORABLE = /\p{DI}+/gu;

/**
 * A text without the characters that nothing shows, for what readers compare and look for: they
 * type none of them. In a browser too.
 */
export function withoutIgnorable(text: string): string {
  return text.replace(IGNORABLE, '');
}

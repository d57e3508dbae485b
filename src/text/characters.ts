/**
 * Characters that a person does not see and a model reads: controls, bidi and zero-width characters, tags, private use,
 * unassigned and lone surrogates (Unicode categories Cc, Cf, Co, Cn, Cs), variation selectors, and letters without a shape.
 * The one set for everything that is shown or sent.
 */
// Default_Ignorable_Code_Point holds the Hangul, Khmer and Mongolian fillers, which are letters without ink; the blank Braille
// pattern is a symbol without ink.
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u{2800}]|(?![\n\t])\p{Cc}/gu;
const LINE_ENDS = /\r\n|[\r\v\f\u{85}\u{2028}\u{2029}]/gu;

interface Stripped {
  readonly text: string;
  /** How many characters were taken out. */
  readonly removed: number;
}

/** Takes out what cannot be seen; every kind of line end becomes `\n`. */
export function stripInvisible(text: string): Stripped {
  let removed = 0;
  const visible = text.replace(LINE_ENDS, '\n').replace(INVISIBLE, () => {
    removed += 1;
    return '';
  });
  return { text: visible, removed };
}

/** Bytes in UTF-8, which is what limits count. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** Length of the longest run of one character. */
export function longestRun(text: string, character: string): number {
  let longest = 0;
  for (let at = 0, run = 0; at < text.length; at += 1) {
    run = text[at] === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

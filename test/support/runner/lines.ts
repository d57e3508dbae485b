import { StringDecoder } from 'node:string_decoder';

/** Lines like .NET's StreamReader.ReadLine: LF, CR and CR LF all end one. */
export function createLineSplitter() {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const take = (text: string, atEnd: boolean): string[] => {
    rest += text;
    // A CR at the end may be the first half of a CR LF.
    const whole = !atEnd && rest.endsWith('\r') ? rest.slice(0, -1) : rest;
    const parts = whole.split(/\r\n|\r|\n/);
    const last = parts.pop() ?? '';
    rest = last + rest.slice(whole.length);
    return parts;
  };
  return {
    push: (chunk: Buffer) => take(decoder.write(chunk), false),
    end: () => {
      const parts = take(decoder.end(), true);
      return rest === '' ? parts : [...parts, rest];
    },
  };
}

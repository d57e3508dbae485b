import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { expect, test } from 'vitest';
import { tokenize } from '../../src/site/verify/tokenize.ts';

function recordCalls(read: (callbacks: TokenizerCallbacks) => void): readonly unknown[] {
  const calls: unknown[] = [];
  const record =
    (name: string) =>
    (...args: readonly unknown[]) => {
      calls.push([name, ...args]);
    };
  read({
    onattribdata: record('attribdata'),
    onattribentity: record('attribentity'),
    onattribend: record('attribend'),
    onattribname: record('attribname'),
    oncdata: record('cdata'),
    onclosetag: record('closetag'),
    oncomment: record('comment'),
    ondeclaration: record('declaration'),
    onend: record('end'),
    onopentagend: record('opentagend'),
    onopentagname: record('opentagname'),
    onprocessinginstruction: record('processinginstruction'),
    onselfclosingtag: record('selfclosingtag'),
    ontext: record('text'),
    ontextentity: record('textentity'),
  });
  return calls;
}

const PAGE = `<!doctype html><?pi a?><!-- a -- > b --->\n<html lang='é>'><title>a &lt; b</title>
<script>if (a </b) "</scrip"</script ><style>a > b {}</style><a href="x>y"  title='"'>Text 漢字 &amp; <b>x</b></a
><![CDATA[ ]] > ]]><br/><p class=a>1 < 2<!bogus><textarea><p></textarea><plaintext>a</plaintext>`;

test.each([
  ['HTML', false],
  ['XML', true],
])('A page of %s that ends anywhere is read as the library reads it', (_, isXml) => {
  for (let length = 0; length <= PAGE.length; length += 1) {
    const page = PAGE.slice(0, length);
    const expected = recordCalls((callbacks) => {
      const tokenizer = new Tokenizer({ xmlMode: isXml, decodeEntities: false }, callbacks);
      tokenizer.write(page);
      tokenizer.end();
    });
    expect(recordCalls((callbacks) => tokenize(page, isXml, callbacks))).toEqual(expected);
  }
});

test('The library still has the method that is replaced', () => {
  expect(Tokenizer.prototype).toHaveProperty('fastForwardTo');
});

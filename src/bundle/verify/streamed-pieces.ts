import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/**
 * The call by which a page puts a piece into its place, with the ids of both: `$RC("B:0","S:0")`
 * for a boundary, `$RS("S:1","P:1")` for a part of a piece, `$RR` for a boundary that waits for
 * style sheets. From react-dom 18.3 and 19.3, as all names here; both take the same calls.
 */
const MOVE = /\$R([CRS])\("([^"\\]{1,200})","([^"\\]{1,200})"/g;
const MARKS_OF_MOVES: readonly string[] = ['$RC("', '$RR("', '$RS("', 'data-sid='];
// Ids may have a prefix, and end with a number in base 16.
const PIECE = /S:[\da-f]+$/;
const BOUNDARY = /B:[\da-f]+$/;
const PART = /P:[\da-f]+$/;
/** `id`, `data-bid`, `data-pid` and `data-sid`: of all others, not even the name is copied. */
const READ_LENGTHS: readonly number[] = [2, 8];
/** Pieces in pieces: no page has more, and each takes a call. */
const DEEPEST = 100;

/**
 * A page as its scripts leave it if React has sent the content of long parts behind the page, in
 * hidden elements: each piece is where it belongs, after the text that was shown instead of it
 * (the fallback), which the reader of content passes over. A page of another kind stays as it is.
 */
export function withStreamedPieces(html: string): string {
  if (!MARKS_OF_MOVES.some((mark) => html.includes(mark))) return html;
  const page = new StreamedPage(html);
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: false }, page);
  tokenizer.write(html);
  tokenizer.end();
  return page.joined();
}

/** The boundary between two comments: `kind` is that of the first. */
type BoundaryComment = 'fallback' | 'content' | 'end';

/** What a comment says about what follows it; undefined for any other comment. */
export function readBoundaryComment(comment: string): BoundaryComment | undefined {
  if (comment === '/$') return 'end';
  if (comment === '$') return 'content';
  // Waiting for a piece, left to the browser, and about to be filled.
  if (comment === '$?' || comment === '$!' || comment === '$~') return 'fallback';
  return undefined;
}

/** A hidden element behind the page: its content, and the first edit that is in it. */
interface Piece {
  readonly start: number;
  readonly firstEdit: number;
  end: number;
}

/** A range of the page that is left out, or an empty one, and what comes there. */
interface Edit {
  readonly start: number;
  end: number;
  /** The id of a piece that is taken away from here, or of the place of one. */
  readonly id: string;
  readonly kind: 'piece' | 'part' | 'boundary';
}

class StreamedPage implements TokenizerCallbacks {
  readonly #html: string;
  /** In the order of the page. */
  readonly #edits: Edit[] = [];
  readonly #pieces = new Map<string, Piece>();
  /** Which piece comes to which place, by the ids of both; and the ids of all these pieces. */
  readonly #moves = new Map<string, string>();
  readonly #movedIds = new Set<string>();
  /** The places in the open boundaries; empty for a boundary without one. */
  readonly #boundaries: string[] = [];
  /** The open piece, with how many elements of its name are open. React has none inside another. */
  #open:
    | { readonly tag: string; readonly piece: Piece; readonly edit: Edit; count: number }
    | undefined;
  /** The place of a part whose end tag comes next. */
  #part: Edit | undefined;
  /** The tag that is being read: where it starts, its name, its attributes. */
  #start = 0;
  #tag = '';
  readonly #attributes = new Map<string, string>();
  #name = '';
  /** Where the open script begins. */
  #script: number | undefined;

  constructor(html: string) {
    this.#html = html;
  }

  joined(): string {
    return this.#render({ start: 0, firstEdit: 0, end: this.#html.length }, 0);
  }

  onopentagname(start: number, end: number): void {
    this.#start = start - 1;
    // React writes all names in lower case.
    this.#tag = this.#html.slice(start, end);
    if (this.#attributes.size > 0) this.#attributes.clear();
  }

  onattribname(start: number, end: number): void {
    this.#name = READ_LENGTHS.includes(end - start) ? this.#html.slice(start, end) : '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#name !== '') this.#attributes.set(this.#name, this.#html.slice(start, end));
  }

  onopentagend(end: number): void {
    const tag = this.#tag;
    const id = this.#attributes.get('id') ?? '';
    if (tag === 'script') this.#script = end + 1;
    if (tag === 'template') this.#openTemplate(id);
    if (this.#open?.tag === tag) this.#open.count += 1;
    if (this.#open === undefined && PIECE.test(id)) this.#openPiece(tag, id, end + 1);
  }

  onselfclosingtag(end: number): void {
    // To browsers, an element of HTML stays open.
    if (this.#tag !== 'svg' && this.#tag !== 'math') this.onopentagend(end);
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#html.slice(start, end);
    const tagStart = start - '</'.length;
    const tagEnd = this.#html.indexOf('>', end) + 1 || this.#html.length;
    if (tag === 'script') this.#readScript(tagStart);
    if (tag === 'template' && this.#part !== undefined) {
      this.#part.end = tagEnd;
      this.#part = undefined;
    }
    const open = this.#open;
    if (open?.tag !== tag) return;
    open.count -= 1;
    if (open.count > 0) return;
    open.piece.end = tagStart;
    open.edit.end = tagEnd;
    this.#open = undefined;
  }

  oncomment(start: number, end: number, endOffset: number): void {
    const kind = readBoundaryComment(this.#html.slice(start, end - endOffset));
    if (kind === undefined) return;
    if (kind !== 'end') {
      this.#boundaries.push('');
      return;
    }
    const id = this.#boundaries.pop() ?? '';
    const at = start - '<!--'.length;
    if (id !== '') this.#edits.push({ start: at, end: at, id, kind: 'boundary' });
  }

  onattribend(): void {}
  onattribentity(): void {}
  oncdata(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
  ontext(): void {}
  ontextentity(): void {}

  #openTemplate(id: string): void {
    // Without scripts in the page, a file reads the instruction from a template.
    const piece = this.#attributes.get('data-sid');
    const place = this.#attributes.get('data-bid') ?? this.#attributes.get('data-pid');
    if (piece !== undefined && place !== undefined) this.#addMove(place, piece);
    const isInBoundary = this.#boundaries.length > 0;
    if (isInBoundary && BOUNDARY.test(id)) this.#boundaries[this.#boundaries.length - 1] = id;
    if (!PART.test(id)) return;
    const start = this.#start;
    this.#part = { start, end: start, id, kind: 'part' };
    this.#edits.push(this.#part);
  }

  #openPiece(tag: string, id: string, start: number): void {
    const edit: Edit = { start: this.#start, end: this.#html.length, id, kind: 'piece' };
    this.#edits.push(edit);
    const piece = { start, firstEdit: this.#edits.length, end: this.#html.length };
    this.#open = { tag, piece, edit, count: 1 };
    // Of two with the same id, browsers find the first.
    if (!this.#pieces.has(id)) this.#pieces.set(id, piece);
  }

  #readScript(end: number): void {
    if (this.#script === undefined) return;
    const code = this.#html.slice(this.#script, end);
    this.#script = undefined;
    for (const [, call, first = '', second = ''] of code.matchAll(MOVE)) {
      if (call === 'S') this.#addMove(second, first);
      else this.#addMove(first, second);
    }
  }

  #addMove(place: string, piece: string): void {
    // The piece has left its element after the first call.
    if (!this.#moves.has(place)) this.#moves.set(place, piece);
    this.#movedIds.add(piece);
  }

  /** A range of the page with its edits. `depth`: in how many pieces it is. */
  #render(range: Piece, depth: number): string {
    let text = '';
    let at = range.start;
    for (let index = range.firstEdit; index < this.#edits.length; index += 1) {
      const edit = this.#edits[index];
      if (edit === undefined || edit.start >= range.end) break;
      // In a piece that was left out.
      if (edit.start < at) continue;
      const replacement = this.#replacement(edit, depth);
      if (replacement === undefined) continue;
      text += this.#html.slice(at, edit.start) + replacement;
      at = edit.end;
    }
    return text + this.#html.slice(at, range.end);
  }

  /** What comes into the place of a range; undefined: it stays as it is. */
  #replacement(edit: Edit, depth: number): string | undefined {
    if (edit.kind === 'piece') return this.#movedIds.has(edit.id) ? '' : undefined;
    const id = this.#moves.get(edit.id) ?? '';
    const piece = this.#pieces.get(id);
    if (piece === undefined || depth >= DEEPEST) return undefined;
    // Each is moved once.
    this.#pieces.delete(id);
    const content = this.#render(piece, depth + 1);
    if (edit.kind === 'part') return content;
    // Ends the fallback; the comment that follows ends the content.
    return `<!--/$--><!--$-->${content}`;
  }
}

/**
 * The call by which a page puts a piece into its place, with the ids of both: `$RC("B:0","S:0")`
 * for a boundary, `$RS("S:1","P:1")` for a part of a piece, `$RR` for a boundary that waits for
 * style sheets. From react-dom 18.3 and 19.3, as all names here; both take the same calls.
 */
const MOVE = /\$R([CRS])\(\s*["']([^"'\\]{1,200})["']\s*,\s*["']([^"'\\]{1,200})["']/g;
const MARKS_OF_MOVES: readonly string[] = ['$RC(', '$RR(', '$RS(', 'data-sid='];
// Ids may have a prefix, and end with a number in base 16.
const PIECE = /S:[\da-f]+$/;
/** Of a boundary, or of a part of a piece. */
const PLACE = /([BP]):[\da-f]+$/;
/**
 * A comment with its text, or a tag: whether it ends an element, its name, its attributes. Each
 * `<` is read once, as what is not closed goes to the end of the page.
 */
const MARKUP =
  /<(?:!--([\s\S]*?)(?:-->|$)|(\/?)([a-zA-Z][^\s/>]*)([^=>]*(?:=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$))?[^=>]*)*)(?:>|$))/g;
/** The attributes with ids that React writes, without entities; a minifier changes the quotes. */
const IDS = /\s(id|data-[bps]id)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
/** What is in these elements is text. */
const RAW_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'title', 'textarea']);
/** Pieces in pieces: no page has more, and each takes a call. */
const DEEPEST = 100;

/**
 * A page as its scripts leave it if React has sent the content of long parts behind the page, in
 * hidden elements: each piece is where it belongs, before the text that was shown instead of it
 * (the fallback), which the reader of content passes over. A page of another kind stays as it is.
 */
export function withStreamedPieces(html: string): string {
  // Few pages have the first: it is found fastest.
  if (!html.includes('S:') || !MARKS_OF_MOVES.some((mark) => html.includes(mark))) return html;
  return new StreamedPage(html).joined();
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

/** A piece that is taken away from a range of the page, or a place, without length, for one. */
interface Edit {
  readonly start: number;
  end: number;
  /** Of the piece or the place. */
  readonly id: string;
}

class StreamedPage {
  readonly #html: string;
  /** In the order of the page. */
  readonly #edits: Edit[] = [];
  readonly #pieces = new Map<string, Piece>();
  /** Which piece comes to which place, by the ids of both; and the ids of all these pieces. */
  readonly #moves = new Map<string, string>();
  readonly #movedIds = new Set<string>();
  /** Where the fallback begins whose first element, the next one, names its boundary. */
  #fallbackAt: number | undefined;
  /** The open piece, with how many elements of its name are open. React has none inside another. */
  #open:
    | { readonly tag: string; readonly piece: Piece; readonly edit: Edit; count: number }
    | undefined;

  constructor(html: string) {
    this.#html = html;
    const markup = new RegExp(MARKUP);
    for (let found = markup.exec(html); found !== null; found = markup.exec(html)) {
      const [, comment = '', slash, tag = '', attributes = ''] = found;
      const kind = readBoundaryComment(comment);
      if (kind !== undefined) this.#fallbackAt = kind === 'fallback' ? found.index : undefined;
      if (slash === '/') this.#closeTag(tag, found.index, markup.lastIndex);
      else markup.lastIndex = this.#openTag(tag, attributes, found.index, markup.lastIndex);
    }
  }

  joined(): string {
    return this.#render({ start: 0, firstEdit: 0, end: this.#html.length }, 0);
  }

  /** Where the markup after a start tag begins. React writes all names in lower case. */
  #openTag(tag: string, attributes: string, start: number, end: number): number {
    const open = this.#open;
    // To browsers, an element of HTML stays open.
    const isClosed = attributes.endsWith('/') && (tag === 'svg' || tag === 'math');
    if (open?.tag === tag && !isClosed) open.count += 1;
    if (RAW_TEXT.has(tag)) return this.#passText(tag, end);
    // Most elements have none.
    if (!attributes.includes('id=')) return end;
    const ids = readIds(attributes);
    const id = ids.get('id') ?? '';
    if (tag === 'template') this.#openTemplate(ids, id, start);
    if (open === undefined && PIECE.test(id)) this.#openPiece(tag, id, start, end);
    return end;
  }

  /** The end of the text of an element without elements in it. */
  #passText(tag: string, start: number): number {
    const found = this.#html.indexOf(`</${tag}`, start);
    const end = found === -1 ? this.#html.length : found;
    if (tag === 'script') this.#readScript(this.#html.slice(start, end));
    return end;
  }

  #closeTag(tag: string, start: number, end: number): void {
    const open = this.#open;
    if (open?.tag !== tag) return;
    open.count -= 1;
    if (open.count > 0) return;
    open.piece.end = start;
    open.edit.end = end;
    this.#open = undefined;
  }

  #openTemplate(ids: ReadonlyMap<string, string>, id: string, start: number): void {
    // Without scripts in the page, a file reads the instruction from a template.
    const piece = ids.get('data-sid');
    const place = ids.get('data-bid') ?? ids.get('data-pid');
    if (piece !== undefined && place !== undefined) this.#addMove(place, piece);
    const kind = PLACE.exec(id)?.[1];
    const at = kind === 'B' ? this.#fallbackAt : start;
    if (kind !== undefined && at !== undefined) this.#edits.push({ start: at, end: at, id });
  }

  #openPiece(tag: string, id: string, start: number, end: number): void {
    const edit: Edit = { start, end: this.#html.length, id };
    this.#edits.push(edit);
    const piece = { start: end, firstEdit: this.#edits.length, end: this.#html.length };
    this.#open = { tag, piece, edit, count: 1 };
    // Of two with the same id, browsers find the first.
    if (!this.#pieces.has(id)) this.#pieces.set(id, piece);
  }

  #readScript(code: string): void {
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

  /** What comes instead of a range; undefined: it stays as it is. */
  #replacement({ id, start, end }: Edit, depth: number): string | undefined {
    if (end > start) return this.#movedIds.has(id) ? '' : undefined;
    const moved = this.#moves.get(id) ?? '';
    const piece = this.#pieces.get(moved);
    if (piece === undefined || depth >= DEEPEST) return undefined;
    // Each is moved once.
    this.#pieces.delete(moved);
    return this.#render(piece, depth + 1);
  }
}

function readIds(attributes: string): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const [, name = '', double, single, plain = ''] of attributes.matchAll(IDS))
    ids.set(name, double ?? single ?? plain);
  return ids;
}

/** The values with room for twice as many. */
function doubled(values: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(values.length * 2);
  more.set(values);
  return more;
}

function checked(value: number): number {
  if (value !== (value | 0)) throw new Error(`${value} does not fit into 4 bytes.`);
  return value;
}

/** A list of whole numbers that takes 4 bytes for each. */
export class Integers {
  #values = new Int32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#values = doubled(this.#values);
    this.#values[this.#length] = checked(value);
    this.#length += 1;
  }
}

/** Rows of whole numbers, each once: equal rows have the same number, which count from 0. */
export class Rows {
  readonly #width: number;
  #values = new Int32Array(1024);
  /** The number of a row, plus 1, at its hash or at the next place that was free; 0: free. */
  #places = new Int32Array(1024);
  #size = 0;

  constructor(width: number) {
    this.#width = width;
  }

  get size(): number {
    return this.#size;
  }

  at(row: number, column: number): number {
    return this.#values[row * this.#width + column] ?? 0;
  }

  /** The number of the row. It is new if it is the `size` before. */
  add(row: readonly number[]): number {
    const from = this.#size * this.#width;
    if (from + this.#width > this.#values.length) this.#values = doubled(this.#values);
    for (let column = 0; column < this.#width; column += 1)
      this.#values[from + column] = checked(row[column] ?? 0);
    const places = this.#places;
    const last = places.length - 1;
    let place = this.#hashOf(this.#size) & last;
    for (let known = places[place] ?? 0; known > 0; known = places[place] ?? 0) {
      if (this.#isLast(known - 1)) return known - 1;
      place = (place + 1) & last;
    }
    this.#size += 1;
    places[place] = this.#size;
    if (this.#size * 2 > places.length) this.#spread();
    return this.#size - 1;
  }

  /** True if the row has the values of the one that is being added. */
  #isLast(row: number): boolean {
    const [one, other] = [row * this.#width, this.#size * this.#width];
    let column = 0;
    while (column < this.#width && this.#values[one + column] === this.#values[other + column])
      column += 1;
    return column === this.#width;
  }

  #hashOf(row: number): number {
    const from = row * this.#width;
    let hash = 0;
    for (let column = 0; column < this.#width; column += 1) {
      hash = Math.imul(hash ^ (this.#values[from + column] ?? 0), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash;
  }

  /** Twice as many places. */
  #spread(): void {
    const places = new Int32Array(this.#places.length * 2);
    const last = places.length - 1;
    for (let row = 0; row < this.#size; row += 1) {
      let place = this.#hashOf(row) & last;
      while ((places[place] ?? 0) > 0) place = (place + 1) & last;
      places[place] = row + 1;
    }
    this.#places = places;
  }
}

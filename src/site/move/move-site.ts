import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CourierError, configError } from '../../ground/errors.ts';
import { plainLine } from '../../ground/text/escape.ts';
import type { ServedAt } from '../../inputs/read-served-at.ts';
import type { BundleFile } from '../archive/sink.ts';
import type { ComparedSite } from '../compare/compared-site.ts';
import { attemptOnDisk } from '../disk/disk.ts';
import { isHtml } from '../page-names.ts';
import { type Finding, FindingList } from '../verify/finding.ts';
import { SiteIndex } from '../verify/site-index.ts';
import { inTurns } from '../verify/verify-site.ts';
import type { SiteOrigin } from './base-path.ts';
import { patchesOfCss } from './css.ts';
import { addPatches, applyPatches, type Exchange, type Patch } from './exchange.ts';
import { isBinary, kindOfText, MEDIA } from './file-kind.ts';
import { ChangedHashes } from './hashes.ts';
import { HostExchange } from './host-exchange.ts';
import { packingOf } from './packed.ts';
import { PageMove } from './page.ts';
import { PathExchange } from './path-exchange.ts';
import { isCountedPayload, patchesOfPayload } from './payload.ts';
import { RootExchange } from './root-exchange.ts';

interface MoveInit {
  /** Unpacked: its files are changed where they are. */
  readonly site: ComparedSite;
  readonly from: Pick<SiteOrigin, 'hosts'> &
    Partial<Pick<SiteOrigin, 'isOfStyles'>> & { readonly basePath: string };
  readonly to: ServedAt;
  readonly signal: AbortSignal;
}

export interface MovedSite {
  /** The files that have changed, by path in the site. */
  readonly files: ReadonlyMap<string, BundleFile>;
  /** What is not certain, and was left as it is. */
  readonly unsure: readonly Finding[];
}

/** Larger files are not read. */
const MOST_BYTES = 64 * 1024 * 1024;
const HASHED = /\.(?:[cm]?js|css|json)$/i;
const MOST_ROUNDS = 20;
/** A hash in a policy, in quotes or their entities. */
const POLICY_HASH = /(?:'|&#39;|&#x27;|&apos;)sha(?:256|384|512)-/;

/**
 * Exchanges the base path of a site in all its files, one in memory at a time. Throws `config` for
 * a site that cannot be moved, `io` and `cancelled`.
 */
export async function moveSite(init: MoveInit): Promise<MovedSite> {
  const move = new SiteMove(init);
  await move.exchangeAll();
  const { basePath, isOfStyles } = init.from;
  if (basePath === '' && !isOfStyles && move.hasScripts) throw cannotMove(init.to);
  return { files: move.changed, unsure: move.findings.all() };
}

/** As `moveSite`, of the addresses alone that have no host, since the site was built without one. */
export async function nameHost(init: MoveInit): Promise<MovedSite['files']> {
  const move = new SiteMove(init, new HostExchange(init.from.basePath, init.to));
  await move.exchangeAll();
  return move.changed;
}

class SiteMove {
  readonly changed = new Map<string, BundleFile>();
  readonly findings = new FindingList();
  /** Whether a page had a script of the site. */
  hasScripts = false;
  readonly #init: MoveInit;
  readonly #exchanged: Exchange;
  readonly #hashes = new ChangedHashes();
  /** True: a policy for all pages may name their scripts by hashes. */
  readonly #hasPolicy: boolean;
  /** The file that is being read. */
  #path = '';

  constructor(init: MoveInit, exchange?: Exchange) {
    this.#init = init;
    this.#exchanged = exchange ?? this.#exchangeOf(init);
    this.#hasPolicy = init.site.paths.includes('_headers');
  }

  #exchangeOf({ site, from, to }: MoveInit): Exchange {
    if (from.basePath === '') return new RootExchange(to.path, new SiteIndex(site.paths, ''));
    const reason = `${from.basePath} may be an address here or a text, so it was not exchanged for ${to.path}`;
    const onUnsure = (text: string) => this.#addUnsure(reason, text);
    return new PathExchange({ from: from.basePath, to, hosts: from.hosts, onUnsure });
  }

  #addUnsure(reason: string, text = ''): void {
    const target = plainLine(text, 100);
    this.findings.add({ level: 'error', kind: 'moved-unsure', page: this.#path, target, reason });
  }

  /** Exchanges the addresses in all files, in the order in which they name hashes of each other. */
  async exchangeAll(): Promise<void> {
    const { site, signal } = this.#init;
    const isLast = ({ path }: BundleFile) => /(?:^|\/)_headers$|\.(?:gz|br)$/i.test(path);
    const others = site.files.filter((file) => !isHtml(file.path) && !isLast(file));
    await inTurns(others, signal, (file) => this.#exchange(file));
    await this.#renewHashes(others.filter(({ path }) => HASHED.test(path)));
    // Pages may name the hashes of scripts, and the last ones those of scripts in pages.
    const pages = site.files.filter(({ path }) => isHtml(path));
    for (const list of [pages, site.files.filter(isLast)])
      await inTurns(list, signal, (file) => this.#exchange(file));
  }

  /** Exchanges the addresses in a file. */
  #exchange({ path, bytes }: BundleFile): void {
    this.#path = path;
    if (MEDIA.test(path)) return;
    if (bytes > MOST_BYTES) {
      this.#addUnsure('the file is larger than 64 MiB');
      return;
    }
    const before = this.#read(path);
    const after = this.#content(path, before);
    if (after !== before) this.#write(path, before, after);
  }

  /** The new content of a file; the same buffer if nothing in it changes. */
  #content(path: string, content: Buffer): Buffer {
    const packing = packingOf(path, content);
    if (packing === undefined) return this.#plain(path, content);
    let unpacked: Buffer;
    try {
      unpacked = packing.unpack(content);
    } catch {
      this.#addUnsure('it is compressed and could not be unpacked');
      return content;
    }
    const moved = this.#plain(path.replace(/\.(?:gz|br)$/i, ''), unpacked);
    if (moved === unpacked) return content;
    return packing.pack(moved);
  }

  #plain(path: string, content: Buffer): Buffer {
    const exchange = this.#exchanged;
    const hasPath = content.includes(exchange.name);
    // A page without the path may still name scripts that have changed.
    if (!hasPath && !content.includes('sha')) return content;
    const text = content.toString('latin1');
    if (isBinary(path, content, text)) {
      const isNamed = hasPath && exchange.find(text, 'prose').length > 0;
      if (isNamed) this.#addUnsure('it contains the base path, and is not a text');
      return content;
    }
    const moved = this.#hashes.renew(applyPatches(text, this.#patches(path, text)));
    if (moved === text) return content;
    return Buffer.from(moved, 'latin1');
  }

  #patches(path: string, text: string): readonly Patch[] {
    const exchange = this.#exchanged;
    if (isHtml(path) || /\.svg$/i.test(path)) return this.#pagePatches(path, text);
    if (/\.css$/i.test(path)) return patchesOfCss(text, exchange);
    if (/\.txt$/i.test(path) && isCountedPayload(text)) return patchesOfPayload(text, exchange);
    return exchange.find(text, kindOfText(path));
  }

  #pagePatches(path: string, text: string): readonly Patch[] {
    const page = new PageMove(text, this.#exchanged, !isHtml(path));
    const patches = page.patches;
    this.hasScripts ||= page.hasScripts;
    if (!this.#hasPolicy && !POLICY_HASH.test(text)) return patches;
    for (const { start, end } of page.embedded) {
      const before = text.slice(start, end);
      const inside: Patch[] = [];
      addPatches(
        inside,
        patches.filter((patch) => patch.start >= start && patch.end <= end),
        -start,
      );
      if (inside.length > 0) this.#hashes.addText(before, applyPatches(before, inside));
    }
    return patches;
  }

  /** Renews the hashes in scripts until no script has one of a former content. */
  async #renewHashes(files: readonly BundleFile[]): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      let isDone = true;
      await inTurns(files, this.#init.signal, ({ path, bytes }) => {
        if (bytes > MOST_BYTES) return;
        const before = this.#read(path);
        if (!before.includes('sha')) return;
        const text = before.toString('latin1');
        const renewed = this.#hashes.renew(text);
        if (renewed === text) return;
        this.#write(path, before, Buffer.from(renewed, 'latin1'));
        isDone = false;
      });
      if (isDone) return;
    }
  }

  #read(path: string): Buffer {
    const file = join(this.#init.site.root ?? '', path);
    return attemptOnDisk('read', file, () => readFileSync(file));
  }

  #write(path: string, before: Buffer, after: Buffer): void {
    const file = join(this.#init.site.root ?? '', path);
    attemptOnDisk('write to', file, () => writeFileSync(file, after));
    if (HASHED.test(path)) this.#hashes.add(before, after);
    this.changed.set(path, { path, bytes: after.length, sha256: hash('sha256', after) });
  }
}

function cannotMove({ url, path }: ServedAt): CourierError {
  return configError(
    `served-at: the site was built for the top of a host, and its scripts would not work below ${path}. Nothing was delivered.`,
    `One of these makes it work at ${url}: give project-id, so that the platform exports it with a base path; use a custom domain, so that served-at has no path; or set the base path in the generator that builds the site.`,
  );
}

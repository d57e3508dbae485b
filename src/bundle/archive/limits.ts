const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** What an archive may hold at most. Tests hand in smaller ones. */
export interface ArchiveLimits {
  /** Of the archive as it is downloaded. */
  readonly archiveBytes: number;
  /** Of all files together, unpacked. */
  readonly totalBytes: number;
  readonly fileBytes: number;
  readonly entries: number;
  /** Unpacked to packed, checked once more than `ratioFromBytes` are unpacked. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
  readonly nameBytes: number;
  readonly segmentBytes: number;
  readonly depth: number;
  /** Of one extended header in a tar. */
  readonly metaBytes: number;
  /** Of all names together: they are kept in memory to find collisions. */
  readonly namesBytes: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  archiveBytes: 2 * GIB,
  totalBytes: 4 * GIB,
  fileBytes: 512 * MIB,
  entries: 200_000,
  ratio: 200,
  ratioFromBytes: 10 * MIB,
  nameBytes: KIB,
  segmentBytes: 255,
  depth: 64,
  metaBytes: MIB,
  namesBytes: 32 * MIB,
};

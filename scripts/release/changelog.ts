/**
 * What a release says: the section of its version with the date in its heading, and above it what is
 * unreleased, since the commit contains it. undefined: there is no section of the version.
 */
export function releaseNotes(changelog: string, version: string, date: Date): string | undefined {
  const [, ...sections] = changelog.split(/^(?=## )/m);
  const last = sections.findIndex((section) => section.startsWith(`## [${version}]`));
  if (last === -1) return undefined;
  const bodies = sections.slice(0, last + 1).map((section) => section.replace(/^.*/, '').trim());
  const day = date.toISOString().slice(0, 10);
  return `${[`## [${version}] - ${day}`, ...bodies.filter((body) => body !== '')].join('\n\n')}\n`;
}

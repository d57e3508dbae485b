/**
 * The section of a version, with the date in its heading: what a release says. undefined: there is
 * none, or it is empty.
 */
export function releaseNotes(changelog: string, version: string, date: Date): string | undefined {
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((text) => text.startsWith(`## [${version}]`));
  // Without its heading, which has no date before the release.
  const body = section?.slice(section.indexOf('\n')).trim();
  if (!body) return undefined;
  return `## [${version}] - ${date.toISOString().slice(0, 10)}\n\n${body}\n`;
}

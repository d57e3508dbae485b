import type { InputName } from './catalog.ts';
import { BASE_PATH_CHOICES, type ExportChoice } from './inputs.ts';
import { asksForDestinations } from './read-destinations.ts';
import type { InputReader } from './reader.ts';
import * as values from './values.ts';

const START_OPTIONS = ['export-version', 'export-paths', 'base-path'] as const satisfies readonly InputName[];

/** What to export. Each option is refused where nothing would read it: the user would wait for what never comes. */
export function readExportChoice(reader: InputReader): ExportChoice {
  const choice = {
    domain: readDomain(reader),
    projectId: reader.optional('project-id', values.pathId),
    exportVersion: reader.optional('export-version', values.line),
    exportPaths: reader.optional('export-paths', values.lines(values.pagePath)),
    basePath: reader.optional('base-path', values.oneOf(BASE_PATH_CHOICES)),
  };
  if (reader.isGiven('export-job-id')) {
    reader.forbid(START_OPTIONS, 'is read only where an export is started; export-job-id attaches to one');
  } else if (reader.isGiven('project-id')) {
    reader.forbid(['export-version', 'export-paths'], 'is part of an export by domain; project-id exports a project');
  } else {
    reader.forbid(['base-path'], 'is read only together with project-id');
  }
  return choice;
}

function readDomain(reader: InputReader): string | undefined {
  const attached = reader.isGiven('export-job-id');
  if (reader.isGiven('project-id') || (attached && !asksForDestinations(reader))) {
    return reader.optional('domain', values.hostName);
  }
  const why = attached
    ? ': the state next to the secret names the site'
    : ' (or give project-id, to export by project)';
  return reader.required('domain', values.hostName, why);
}

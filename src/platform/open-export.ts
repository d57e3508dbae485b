import type { ExportSelection, PlatformClient } from './client.ts';
import type { BasePath } from './contract.ts';
import type { ExportApi, ExportSource } from './export-api.ts';
import { ExportByDomain } from './export-by-domain.ts';
import { ExportByProject } from './export-by-project.ts';

interface OpenExportInit {
  readonly platform: PlatformClient;
  readonly source: ExportSource;
  /** By domain only. */
  readonly selection?: ExportSelection | undefined;
  /** By project only; undefined: the deployment's own. */
  readonly basePath?: BasePath | undefined;
}

/** The revision of the export API that the source asks for: by project where there is a project's id, else by domain. */
export function openExport({ platform, source, selection, basePath }: OpenExportInit): ExportApi {
  const { domain, projectId } = source;
  return projectId === undefined
    ? new ExportByDomain({ platform, source, selection })
    : new ExportByProject({ platform, source: { domain, projectId }, basePath });
}

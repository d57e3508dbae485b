import { type CourierError, hasCode } from '../errors.ts';
import type { ExportSource } from '../platform/export-api.ts';

/**
 * What a 404 about the job of `export-job-id` means: which of the two ids in the inputs is wrong cannot be seen from the
 * reply, so both are named with the destination where to find them.
 */
export function explainUnknownJob(error: unknown, jobId: string, { projectId }: ExportSource): unknown {
  if (!hasCode(error, 'not-found')) return error;
  return projectId === undefined ? unknownJob(error, jobId) : unknownJobOrProject(error, jobId, projectId);
}

function unknownJob(error: CourierError, jobId: string): CourierError {
  return error.with({
    message: `The platform does not know the export job "${jobId}" of export-job-id. ${error.message}`,
    hint: {
      text: `Copy the id from the log or the job-id output of the run that started the export. If that run exported by project, give the project instead of domain:`,
      inputs: { 'project-id': "the id on the API keys page of the platform's dashboard" },
    },
  });
}

function unknownJobOrProject(error: CourierError, jobId: string, projectId: string): CourierError {
  return error.with({
    message: `The platform does not know the export job "${jobId}" of export-job-id in the project "${projectId}" of project-id. ${error.message}`,
    hint: `Copy export-job-id from the log or the job-id output of the run that started the export, and project-id from the API keys page of the platform's dashboard; that run must have exported the same project.`,
  });
}

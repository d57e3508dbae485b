import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** Folders of one job on a runner, in a separate folder. */
export interface JobFolders {
  readonly root: string;
  readonly temp: string;
  readonly toolCache: string;
  readonly workspace: string;
  remove(): Promise<void>;
}

/** Files that one step uses to talk to the runner. */
export interface StepFiles {
  readonly output: string;
  readonly state: string;
  readonly env: string;
  readonly path: string;
  readonly summary: string;
  readonly event: string;
}

// The runner's own files in RUNNER_TEMP.
const OWN_FOLDERS = ['_runner_file_commands', '_github_workflow'];

export async function createJobFolders(workspace: string | undefined): Promise<JobFolders> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'runner-')));
  const folders = {
    root,
    temp: join(root, '_temp'),
    toolCache: join(root, '_tool'),
    workspace: workspace ?? join(root, 'workspace'),
  };
  for (const folder of OWN_FOLDERS) await mkdir(join(folders.temp, folder), { recursive: true });
  for (const folder of [folders.toolCache, folders.workspace])
    await mkdir(folder, { recursive: true });
  return { ...folders, remove: () => rm(root, { recursive: true, force: true }) };
}

export async function createStepFiles(
  temp: string,
  step: number,
  event: unknown,
): Promise<StepFiles> {
  const commands = join(temp, '_runner_file_commands');
  const files: StepFiles = {
    output: join(commands, `set_output_${step}`),
    state: join(commands, `save_state_${step}`),
    env: join(commands, `set_env_${step}`),
    path: join(commands, `add_path_${step}`),
    summary: join(commands, `step_summary_${step}`),
    event: join(temp, '_github_workflow', 'event.json'),
  };
  for (const file of [files.output, files.state, files.env, files.path, files.summary])
    await writeFile(file, '');
  if (event === null) await rm(files.event, { force: true });
  else await writeFile(files.event, typeof event === 'string' ? event : JSON.stringify(event));
  return files;
}

export function readTextOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

interface Leftovers {
  readonly files: string[];
  readonly texts: Record<string, string>;
}

const LARGEST_TEXT_BYTES = 1024 * 1024;

/** What is in RUNNER_TEMP besides the runner's own files. Folders end in `/`. */
export async function readLeftovers(temp: string): Promise<Leftovers> {
  const files: string[] = [];
  const texts: Record<string, string> = {};
  for (const entry of await readdir(temp, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(temp, path);
    if (OWN_FOLDERS.includes(name.split('/')[0] ?? '')) continue;
    files.push(entry.isDirectory() ? `${name}/` : name);
    if (entry.isFile() && (await stat(path)).size <= LARGEST_TEXT_BYTES)
      texts[name] = await readFile(path, 'utf8');
  }
  return { files: files.sort(), texts };
}

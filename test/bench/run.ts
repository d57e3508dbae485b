import { benchFollowing } from './follow.ts';

for (const line of benchFollowing()) console.log(line);

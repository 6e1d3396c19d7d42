/** Where Chromium is: CHROMIUM names the program, else it is looked for in PATH. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of ['chromium', 'chromium-browser', 'google-chrome'])
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // It is not there.
      }
  return undefined;
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A LibreOffice setting: path, name and value. */
type OfficeSetting = readonly [path: string, name: string, value: string];

const SCRIPTING = '/org.openoffice.Office.Common/Security/Scripting';
const PROXY = '/org.openoffice.Inet/Settings';

/** Nothing in a document is executed, and nothing it refers to is loaded, neither local files nor hosts. */
const SETTINGS: readonly OfficeSetting[] = [
  [SCRIPTING, 'DisableMacrosExecution', 'true'],
  [SCRIPTING, 'MacroSecurityLevel', '3'],
  [SCRIPTING, 'BlockUntrustedRefererLinks', 'true'],
  [SCRIPTING, 'DisableActiveContent', 'true'],
  ['/org.openoffice.Office.Writer/Content/Update', 'Link', '0'],
  // Here 1 means never.
  ['/org.openoffice.Office.Calc/Content/Update', 'Link', '1'],
  // For systems where the network can't be isolated: a proxy on a port where nothing listens.
  [PROXY, 'ooInetProxyType', '1'],
  [PROXY, 'ooInetHTTPProxyName', '127.0.0.1'],
  [PROXY, 'ooInetHTTPProxyPort', '9'],
  [PROXY, 'ooInetHTTPSProxyName', '127.0.0.1'],
  [PROXY, 'ooInetHTTPSProxyPort', '9'],
  [PROXY, 'ooInetNoProxy', ''],
];

const settingXml = ([path, name, value]: OfficeSetting) =>
  `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;

/** Writes a profile for a single conversion. */
export async function writeOfficeProfile(folder: string): Promise<void> {
  await mkdir(join(folder, 'user'), { recursive: true, mode: 0o700 });
  const items = SETTINGS.map(settingXml).join('\n');
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${items}
</oor:items>
`;
  await writeFile(join(folder, 'user', 'registrymodifications.xcu'), text, { mode: 0o600 });
}

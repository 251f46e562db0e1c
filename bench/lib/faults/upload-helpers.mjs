import { registerUser } from '../product.mjs';

/** Registers an owner with a zone; returns them with functions that upload and read small files. */
export async function createOwnerWithZone({ url }) {
  const owner = await registerUser(url, 'fault_owner');
  const zone = await (await owner.call('POST', '/api/zones', { name: 'Faults', type: 'private' })).json();
  const uploadFile = async (name, bytes = Buffer.from(name)) => {
    const form = new FormData();
    form.append('files', new Blob([bytes]), `${name}.txt`);
    const encoded = new Response(form);
    const body = Buffer.from(await encoded.arrayBuffer());
    const headers = { 'Content-Type': encoded.headers.get('content-type') };
    const [file] = await (await owner.call('POST', `/api/zones/${zone.id}/files`, body, headers)).json();
    return file.id;
  };
  const canReadFile = async (id) => {
    const response = await fetch(`${url}/api/files/${id}/view`, { headers: { Cookie: owner.cookie } });
    await response.arrayBuffer();
    return response.ok;
  };
  return { owner, zone, uploadFile, canReadFile };
}

/** Returns the upload's result, or null if it failed. */
export const tryUpload = (upload) => upload().catch(() => null);

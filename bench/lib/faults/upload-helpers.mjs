import { register } from '../product.mjs';

/** A user with a zone, who uploads small files and reads them. */
export async function ownerWithZone({ url }) {
  const owner = await register(url, 'fault_owner');
  const zone = await (await owner.call('POST', '/api/zones', { name: 'Faults', type: 'private' })).json();
  const upload = async (name, bytes = Buffer.from(name)) => {
    const form = new FormData();
    form.append('files', new Blob([bytes]), `${name}.txt`);
    const encoded = new Response(form);
    const body = Buffer.from(await encoded.arrayBuffer());
    const headers = { 'Content-Type': encoded.headers.get('content-type') };
    const [file] = await (await owner.call('POST', `/api/zones/${zone.id}/files`, body, headers)).json();
    return file.id;
  };
  const read = async (id) => {
    const answer = await fetch(`${url}/api/files/${id}/view`, { headers: { Cookie: owner.cookie } });
    await answer.arrayBuffer();
    return answer.ok;
  };
  return { owner, zone, upload, read };
}

/** Returns the upload's result, or null if it was refused. */
export const tryUpload = (upload) => upload().catch(() => null);

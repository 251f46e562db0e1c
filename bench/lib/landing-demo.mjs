import { randomBytes } from 'node:crypto';
import { deflateSync, crc32 } from 'node:zlib';
import { root } from './product.mjs';

/** Content of the landing page's screenshots, by language. */
const CONTENT = {
  en: {
    creatorName: ['Mara', 'Lindqvist'],
    zones: [
      ['Watercolour course', 'Everything for the ten weeks, in order.', 'public'],
      ['Spring workshop', 'For those who were there in April.', 'private'],
      ['Sketchbook club', 'A new page every month.', 'public'],
    ],
    folders: ['Week 1 – Brushes and paper', 'Week 2 – Washes', 'Week 3 – Light and shadow'],
    files: ['Course outline.pdf', 'Colour chart.png', 'Materials list.txt', 'Welcome.png', 'Exercises.pdf'],
    links: ['Newsletter', 'Instagram profile', 'Workshop in April'],
    names: ['Noor Haddad', 'Emil Sand', 'Ida Berg', 'Tomás Reyes', 'Lena Voss', 'Priya Nair', 'Hugo Marin'],
    subject: 'Week 3 is there: light and shadow',
    html: '<h2>Hello {{first_name}},</h2><p>the third week lies in the zone: two short films, three exercises and the sheet with the colour wheel.</p><p>Take your time with the second exercise. Half an hour by a window is enough.</p><p>See you on Thursday,<br>Mara</p>',
  },
  tr: {
    creatorName: ['Defne', 'Aksoy'],
    zones: [
      ['Suluboya kursu', 'On haftanın tüm malzemesi, sırasıyla.', 'public'],
      ['Bahar atölyesi', 'Nisan ayında gelenler için.', 'private'],
      ['Eskiz defteri kulübü', 'Her ay yeni bir sayfa.', 'public'],
    ],
    folders: ['1. Hafta – Fırçalar ve kâğıt', '2. Hafta – Yıkamalar', '3. Hafta – Işık ve gölge'],
    files: ['Kurs planı.pdf', 'Renk tablosu.png', 'Malzeme listesi.txt', 'Hoş geldiniz.png', 'Alıştırmalar.pdf'],
    links: ['Bülten', 'Instagram profili', 'Nisan atölyesi'],
    names: ['Elif Yurt', 'Kerem Sözen', 'Zeynep Aral', 'Can Ulusoy', 'Selin Gür', 'Mert Oran', 'Ayşe Tan'],
    subject: '3. hafta hazır: ışık ve gölge',
    html: '<h2>Merhaba {{first_name}},</h2><p>üçüncü hafta bölgede: iki kısa film, üç alıştırma ve renk çemberinin yaprağı.</p><p>İkinci alıştırmayı aceleye getirmeyin. Pencere önünde yarım saat yeter.</p><p>Perşembe görüşmek üzere,<br>Defne</p>',
  },
};

/**
 * Fills the product with a creator's content through the API.
 * @param client the creator, signed in, with a plan that allows three zones
 * @returns what the screenshots show: ids of zones and campaign, the public link
 */
export async function fillDemo(client, language) {
  const content = CONTENT[language];
  const post = async (path, body) => (await client.call('POST', path, body)).json();
  const zones = [];
  for (const [name, description, type] of content.zones)
    zones.push(await post('/api/zones', { name, description, type }));
  const [zone, second] = zones;
  const files = await fillZone(client, zone.id, content, post);
  await upload(client, second.id, '', { 'notes.txt': Buffer.from('notes') });
  for (const { id } of zones) await addMembers(client, id, content, id === zone.id ? 7 : 4);
  await readFiles(client, files);
  for (const [index, name] of content.links.entries()) {
    await post(`/api/zones/${second.id}/temporary-links`, {
      name,
      expiresInHours: 24 * (3 + 9 * index),
      maxUses: 50 * (index + 1),
    });
  }
  const campaign = await post('/api/campaigns', {
    zoneId: zone.id,
    name: content.subject,
    subject: content.subject,
    htmlContent: content.html,
  });
  return { zoneId: zone.id, privateZoneId: second.id, publicLink: zone.publicLink, campaignId: campaign.id };
}

export const creatorNameOf = (language) => CONTENT[language].creatorName;

async function fillZone(client, zoneId, content, post) {
  for (const name of content.folders) {
    const { id } = await post(`/api/zones/${zoneId}/folders`, { name });
    await upload(client, zoneId, `?folderId=${id}`, { [content.files[4]]: await createTitlePdf(name) });
  }
  const [outline, chart, list, welcome, exercises] = content.files;
  return upload(client, zoneId, '', {
    [outline]: await createTitlePdf(content.zones[0][0]),
    [chart]: gradient([37, 69, 211], [250, 190, 120]),
    [list]: Buffer.from('Brushes 4, 8, 12\nPaper 300 g\n'),
    [welcome]: gradient([180, 71, 8], [236, 235, 230]),
    [exercises]: await createTitlePdf(content.folders[2]),
  });
}

async function upload(client, zoneId, query, files) {
  const boundary = `demo${randomBytes(8).toString('hex')}`;
  const parts = Object.entries(files).flatMap(([name, bytes]) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  const type = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  return (await client.call('POST', `/api/zones/${zoneId}/files${query}`, body, type)).json();
}

async function addMembers(client, zoneId, { names }, count) {
  const rows = names.slice(0, count).map((name) => {
    const [first, last] = name.split(' ');
    return `${toAsciiLetters(first)}@example.com,${first},${last}`;
  });
  const form = new FormData();
  form.set('mode', 'add');
  form.set('consentConfirmed', 'true');
  form.set('file', new Blob([`email,firstName,lastName\n${rows.join('\n')}\n`], { type: 'text/csv' }), 'members.csv');
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const headers = { 'Content-Type': request.headers.get('content-type') };
  await client.call('POST', `/api/zones/${zoneId}/members/import`, Buffer.from(await request.arrayBuffer()), headers);
}

const toAsciiLetters = (name) =>
  name
    .normalize('NFKD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase();

/** Reads some files more often than others. */
async function readFiles(client, files) {
  for (const [index, { id }] of files.entries()) {
    await client.call('GET', `/api/files/${id}/view`).then((response) => response.arrayBuffer());
    if (index % 2 === 0)
      await client.call('GET', `/api/files/${id}/download`).then((response) => response.arrayBuffer());
  }
}

/** Creates a PDF, whose first page is shown as the thumbnail; the generator supports only Western letters. */
async function createTitlePdf(title) {
  const { createPdf } = await import(`${root}dist/compiled/src/cli/seed/demo-files.js`);
  return createPdf(title.normalize('NFKD').replace(/[^ -~]/g, ''), ['1', '2', '3']);
}

/** A PNG with a gradient. */
function gradient(from, to) {
  const size = 480;
  const rows = Buffer.alloc((size * 3 + 1) * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const ratio = (x + y) / (2 * size);
      for (let c = 0; c < 3; c++) rows[y * (size * 3 + 1) + 1 + x * 3 + c] = from[c] + (to[c] - from[c]) * ratio;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

import { crc32, deflateSync } from 'node:zlib';
import { colourWheel, lecturesCover, notesCover, softbox } from './demo-pictures.js';

/** Small real files of many types, generated so that the repository contains no binaries. */
export interface DemoFile {
  readonly name: string;
  readonly content: Buffer | (() => Promise<Buffer>);
}

/** Creates a one-page PDF with a heading and lines of text (WinAnsi characters only). */
export function createPdf(title: string, lines: string[]): Buffer {
  return createOnePagePdf(
    `BT /F1 26 Tf 72 760 Td (${escapePdfText(title)}) Tj /F1 13 Tf 0 -18 Td\n${pdfLines(lines)}\nET`,
  );
}

/** The same with the heading in a coloured band, like a handout. */
function createHandout(title: string, lines: string[]): Buffer {
  const band = '0.145 0.271 0.827 rg 0 722 595 120 re f';
  const heading = `BT 1 g /F1 28 Tf 56 770 Td (${escapePdfText(title)}) Tj ET`;
  return createOnePagePdf(`${band} ${heading} BT 0.11 g /F1 14 Tf 56 690 Td\n${pdfLines(lines)}\nET`);
}

const escapePdfText = (text: string) => text.replace(/[\\()]/g, '\\$&');
const pdfLines = (lines: string[]) => lines.map((line) => `0 -22 Td (${escapePdfText(line)}) Tj`).join('\n');

function createOnePagePdf(stream: string): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((at) => `${at} 00000 n \n`).join('')}`;
  text += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

type Colour = readonly [number, number, number];

/** Creates a PNG with a gradient between two colours. */
export function createPng(width: number, height: number, from: Colour, to: Colour): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const share = (x / width + y / height) / 2;
      const at = y * (width * 3 + 1) + 1 + x * 3;
      for (let channel = 0; channel < 3; channel++) {
        rows[at + channel] = Math.round(from[channel]! + (to[channel]! - from[channel]!) * share);
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** Creates a WAV with a tone of `hertz` that fades out over `seconds`. */
export function createWav(hertz: number, seconds: number): Buffer {
  const rate = 22_050;
  const count = Math.round(rate * seconds);
  const sound = Buffer.alloc(44 + count * 2);
  sound.write('RIFF', 0);
  sound.writeUInt32LE(36 + count * 2, 4);
  sound.write('WAVEfmt ', 8);
  sound.writeUInt32LE(16, 16);
  sound.writeUInt16LE(1, 20);
  sound.writeUInt16LE(1, 22);
  sound.writeUInt32LE(rate, 24);
  sound.writeUInt32LE(rate * 2, 28);
  sound.writeUInt16LE(2, 32);
  sound.writeUInt16LE(16, 34);
  sound.write('data', 36);
  sound.writeUInt32LE(count * 2, 40);
  for (let index = 0; index < count; index++) {
    const level = Math.sin((2 * Math.PI * hertz * index) / rate) * (1 - index / count) * 12_000;
    sound.writeInt16LE(Math.round(level), 44 + index * 2);
  }
  return sound;
}

const textFile = (content: string) => Buffer.from(content, 'utf8');

const outline = [
  'Week 1  Light: soft and hard, near and far, warm and cold',
  'Week 2  Colour: the wheel, contrast, harmony',
  'Week 3  Composition: frames, lines, empty space',
  'Week 4  Portraits: one window, one chair, one person',
  '',
  'Each week has slides, two exercises and an hour of questions.',
  'Bring any camera. A phone is enough for all exercises.',
];
const lightSlides = [
  'Soft light comes from a large source nearby: a window, a softbox.',
  'Hard light comes from a small source far away: the sun, a bare bulb.',
  '',
  'A softbox turns a small lamp into a large source.',
  'Move the softbox nearer: shadows become softer.',
  'Move it away: shadows become harder, and the background brighter.',
  '',
  'Exercise: photograph one object with and without a softbox.',
];
const welcomeLines = [
  'Thank you for being here.',
  'New notes appear in this zone every Monday.',
  'Write down one question a week and bring it to the call.',
];

/** Content of the demo zones: folder name (or null) and files. */
export const lectureFiles: { folder: string | null; files: DemoFile[] }[] = [
  {
    folder: null,
    files: [
      { name: 'Course outline.pdf', content: createHandout('Course outline', outline) },
      { name: 'Cover.png', content: lecturesCover },
      { name: 'Reading list.txt', content: textFile('Week 1: notes on light\nWeek 2: notes on colour\n') },
      { name: 'Intro jingle.wav', content: createWav(440, 2) },
    ],
  },
  {
    folder: 'Week 1',
    files: [
      { name: 'Slides.pdf', content: createHandout('Week 1: light', lightSlides) },
      { name: 'Exercise 2.md', content: textFile('# Exercise 2\n\nPhotograph one object in three kinds of light.\n') },
      { name: 'Exercise 10.md', content: textFile('# Exercise 10\n\nCompare your results with those of a partner.\n') },
      { name: 'Softbox.png', content: softbox },
    ],
  },
  {
    folder: 'Week 2',
    files: [
      { name: 'Renk çemberi.png', content: colourWheel },
      { name: 'Palette.json', content: textFile('{\n  "warm": ["#B54708", "#B42318"],\n  "cool": ["#2545D3"]\n}\n') },
    ],
  },
];

export const notesFiles: { folder: string | null; files: DemoFile[] }[] = [
  {
    folder: null,
    files: [
      { name: 'Members only.pdf', content: createHandout('Members only', welcomeLines) },
      { name: 'Cover.png', content: notesCover },
      { name: 'Budget.csv', content: textFile('item,amount\nLamp,120\nPaper,35\n') },
      {
        name: 'Logo.svg',
        content: textFile('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"></svg>\n'),
      },
    ],
  },
];

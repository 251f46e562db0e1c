import { loadSharp } from '../../platform/rendering/load-sharp.js';

/** Generated demo pictures: no real faces or photographs. */

const SKINS = ['#F1C9A5', '#D9A066', '#A8703D', '#E8B48C', '#7A4A2B', '#F4D6BF'];
const HAIRS = ['#2B2118', '#5A3A22', '#B5651D', '#8C8C8C', '#1B1C1F', '#D8B25C', '#7B2D26'];
const SHIRTS = ['#2545D3', '#067647', '#B54708', '#7A3E9D', '#0E7490', '#B42318', '#475467'];
const BACKGROUNDS = ['#DCE4FF', '#D6F2E3', '#FDE9D3', '#EFE3F7', '#D3EEF4', '#F9DEDC'];

/** Hairstyles, behind and in front of the face. */
const HAIRCUTS = [
  '<path d="M78 118a50 50 0 0 1 100 0c-8-22-30-34-50-34s-42 12-50 34z"/>',
  '<path d="M74 170c-8-60 10-98 54-98s62 38 54 98l-14 4c4-44-10-68-40-68s-44 24-40 68z"/>',
  '<circle cx="128" cy="62" r="18"/><path d="M78 122a50 52 0 0 1 100 0c-12-26-88-26-100 0z"/>',
  '<path d="M76 124c-4-36 20-56 52-56s56 20 52 56c-10-6-12-24-20-28-20 12-50 12-64 2-8 6-12 20-20 26z"/>',
];

const pick = <T>(list: readonly T[], number: number): T => list[number % list.length]!;

/** Creates a drawn face as a PNG, different for each number. */
export function createFace(number: number): Promise<Buffer> {
  const [skin, hair] = [pick(SKINS, number), pick(HAIRS, number * 3 + 1)];
  const [shirt, ground] = [pick(SHIRTS, number * 2), pick(BACKGROUNDS, number * 5 + 2)];
  const glasses =
    number % 4 === 1
      ? '<g fill="none" stroke="#1B1C1F" stroke-width="3"><circle cx="110" cy="128" r="13"/><circle cx="146" cy="128" r="13"/><path d="M123 128h10"/></g>'
      : '';
  return renderSvg(
    256,
    256,
    `<rect width="256" height="256" fill="${ground}"/>
    <path d="M40 256c0-52 38-74 88-74s88 22 88 74z" fill="${shirt}"/>
    <rect x="108" y="160" width="40" height="38" rx="18" fill="${skin}"/>
    <ellipse cx="128" cy="130" rx="46" ry="54" fill="${skin}"/>
    <g fill="${hair}">${pick(HAIRCUTS, number)}</g>
    <g fill="#1B1C1F"><circle cx="110" cy="128" r="4.5"/><circle cx="146" cy="128" r="4.5"/></g>
    ${glasses}
    <path d="M110 154q18 14 36 0" fill="none" stroke="#1B1C1F" stroke-width="4" stroke-linecap="round"/>`,
  );
}

const text = 'font-family="sans-serif" font-weight="bold"';

/** The cover of the photography lectures: a camera in front of hills at dusk. */
export const lecturesCover = (): Promise<Buffer> =>
  renderSvg(
    1200,
    675,
    `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#2545D3"/><stop offset=".6" stop-color="#F2A65A"/><stop offset="1" stop-color="#FBE3C4"/></linearGradient></defs>
    <rect width="1200" height="675" fill="url(#sky)"/><circle cx="860" cy="330" r="86" fill="#FFF4DF"/>
    <path d="M0 480q200-150 420-30t400-50 380 10v265H0z" fill="#1F3A6E"/>
    <path d="M0 560q260-110 520-20t680-60v195H0z" fill="#14264A"/>
    <g transform="translate(170 250)"><rect width="360" height="230" rx="28" fill="#1B1C1F"/><rect x="110" y="-38" width="140" height="60" rx="14" fill="#1B1C1F"/>
    <circle cx="180" cy="115" r="88" fill="#303136"/><circle cx="180" cy="115" r="62" fill="#5E7BEA"/><circle cx="160" cy="95" r="20" fill="#DCE4FF"/>
    <rect x="290" y="24" width="44" height="26" rx="6" fill="#F2A65A"/></g>
    <text x="620" y="560" font-size="58" fill="#FFFFFF" ${text}>Photography lectures</text>`,
  );

/** The cover of the coaching notes: an open notebook. */
export const notesCover = (): Promise<Buffer> =>
  renderSvg(
    1200,
    675,
    `<rect width="1200" height="675" fill="#D6F2E3"/><circle cx="1020" cy="120" r="220" fill="#B7E4CC"/>
    <g transform="translate(180 140)"><path d="M0 30q180-60 400 0v360q-220-60-400 0z" fill="#FFFFFF" stroke="#067647" stroke-width="8"/>
    <path d="M400 30q220-60 400 0v360q-180-60-400 0z" fill="#FFFFFF" stroke="#067647" stroke-width="8"/>
    <g stroke="#9AD3B6" stroke-width="8"><path d="M60 110q140-34 280 0M60 170q140-34 280 0M60 230q140-34 280 0M60 290q110-28 200-8"/></g>
    <path d="M470 260l70 66 150-160" fill="none" stroke="#067647" stroke-width="26" stroke-linecap="round" stroke-linejoin="round"/></g>
    <text x="180" y="630" font-size="52" fill="#0B3D2A" ${text}>Coaching notes</text>`,
  );

/** A softbox beside a vase. */
export const softbox = (): Promise<Buffer> =>
  renderSvg(
    800,
    600,
    `<rect width="800" height="600" fill="#303136"/><path d="M300 130L760 40v520L300 430z" fill="#FFF4DF" opacity=".18"/>
    <g transform="rotate(8 190 260)"><rect x="90" y="120" width="200" height="270" rx="14" fill="#FFF4DF" stroke="#1B1C1F" stroke-width="12"/><path d="M180 390v170" stroke="#1B1C1F" stroke-width="14"/></g>
    <path d="M540 260h100l-14 60q44 70 0 160h-72q-44-90 0-160z" fill="#B54708"/><path d="M590 260q-60-110-10-150 60 50 10 150z" fill="#067647"/>
    <rect x="470" y="480" width="240" height="16" rx="8" fill="#8C6A4F"/>`,
  );

/** A wheel of twelve colours. */
export function colourWheel(): Promise<Buffer> {
  const slices = Array.from({ length: 12 }, (_, n) => {
    const [from, to] = [n, n + 1].map((at) => (at * Math.PI) / 6);
    const pointAt = (angle: number) => `${400 + 320 * Math.cos(angle)} ${400 + 320 * Math.sin(angle)}`;
    return `<path d="M400 400L${pointAt(from!)}A320 320 0 0 1 ${pointAt(to!)}z" fill="hsl(${n * 30},72%,52%)"/>`;
  });
  return renderSvg(
    800,
    800,
    `<rect width="800" height="800" fill="#FAFAF7"/>${slices.join('')}<circle cx="400" cy="400" r="110" fill="#FAFAF7"/>`,
  );
}

async function renderSvg(width: number, height: number, content: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;
  const sharp = await loadSharp();
  return sharp(Buffer.from(svg)).png().toBuffer();
}

import Box from '@mui/material/Box';
import { QRCodeCanvas, QRCodeSVG } from 'qrcode.react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { QrDownloads } from './qr-downloads';

/** Pixels of the image for printing. */
const PRINT_SIZE = 1024;
const DISPLAY_SIZE = 232;
/** Modules of margin around the code, which scanners need. */
const QUIET_ZONE = 4;

/** QR code with its two downloads. Black on white in every theme, because cameras need the contrast. */
export function QrCode({ address }: { address: string }) {
  const { t } = useTranslation('links');
  const svg = useRef<SVGSVGElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const saveSvg = () => {
    const text = new XMLSerializer().serializeToString(svg.current!);
    downloadFile(new Blob([text], { type: 'image/svg+xml' }), 'qr-code.svg');
  };
  const savePng = () => canvas.current!.toBlob((png) => png && downloadFile(png, 'qr-code.png'), 'image/png');
  const code = { value: address, marginSize: QUIET_ZONE, level: 'M' as const };
  return (
    <>
      <QRCodeSVG ref={svg} {...code} size={DISPLAY_SIZE} role="img" aria-label={t('qr.of', { address })} />
      <Box sx={{ display: 'none' }}>
        <QRCodeCanvas ref={canvas} {...code} size={PRINT_SIZE} />
      </Box>
      <QrDownloads onPng={savePng} onSvg={saveSvg} />
    </>
  );
}

function downloadFile(file: Blob, name: string) {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has saved the file; revoking the URL immediately makes some browsers lose it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

import ArticleRounded from '@mui/icons-material/ArticleRounded';
import AudiotrackRounded from '@mui/icons-material/AudiotrackRounded';
import FolderZipRounded from '@mui/icons-material/FolderZipRounded';
import ImageRounded from '@mui/icons-material/ImageRounded';
import InsertDriveFileRounded from '@mui/icons-material/InsertDriveFileRounded';
import MovieRounded from '@mui/icons-material/MovieRounded';
import PictureAsPdfRounded from '@mui/icons-material/PictureAsPdfRounded';
import SlideshowRounded from '@mui/icons-material/SlideshowRounded';
import TableChartRounded from '@mui/icons-material/TableChartRounded';
import type { SvgIconComponent } from '@mui/icons-material';

const iconsByMimeType: [RegExp, SvgIconComponent][] = [
  [/^image\//, ImageRounded],
  [/^video\//, MovieRounded],
  [/^audio\//, AudiotrackRounded],
  [/pdf$/, PictureAsPdfRounded],
  [/spreadsheet|excel|csv/, TableChartRounded],
  [/presentation|powerpoint/, SlideshowRounded],
  [/zip|compressed|x-7z|x-rar|x-tar|gzip/, FolderZipRounded],
  [/^text\/|word|document|rtf|epub/, ArticleRounded],
];

/** Icon of a file's type. Decorative: the name is next to it. */
export function FileTypeIcon({ file, size = 20 }: { file: { mimeType: string }; size?: number }) {
  const Icon = iconsByMimeType.find(([pattern]) => pattern.test(file.mimeType))?.[1] ?? InsertDriveFileRounded;
  return <Icon aria-hidden sx={{ flex: 'none', fontSize: size, color: 'text.secondary' }} />;
}

import InsertDriveFileRounded from '@mui/icons-material/InsertDriveFileRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schema } from '../../../shared/api/client';
import { readerUrl } from '../../../shared/files/reader-navigation';
import { useFormat } from '../../../shared/hooks/use-format';
import { SectionCard } from '../../../shared/ui/section-card';
import { rowStyles, listStyles } from './row-styles';

type HomeFile = Schema<'HomeFileDto'>;

/** Returns the URL of a file: the reader, or its place in the list if browsers can't show it. */
function fileUrl({ id, zoneId, folderId, can }: HomeFile): string {
  if (can.view) return readerUrl(zoneId, id);
  return `/zones/${zoneId}${folderId === null ? '' : `/folders/${folderId}`}?item=file-${id}`;
}

/** The latest files in all of the user's zones. */
export function RecentFiles({ files }: { files: readonly HomeFile[] }) {
  const { t } = useTranslation('sharedZones');
  const format = useFormat();
  return (
    <SectionCard title={t('home.files')}>
      <Box component="ul" sx={listStyles}>
        {files.map((file) => (
          <Box component="li" key={file.id}>
            <ButtonBase component={Link} to={fileUrl(file)} sx={rowStyles}>
              <InsertDriveFileRounded sx={{ color: 'text.secondary' }} />
              <Box sx={{ flex: 1, minWidth: 0 }}>
                <Typography component="p" sx={{ overflowWrap: 'anywhere' }}>
                  {file.name}
                </Typography>
                <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
                  {file.zoneName} · {format.date(file.createdAt)}
                </Typography>
              </Box>
            </ButtonBase>
          </Box>
        ))}
      </Box>
    </SectionCard>
  );
}

import InsertDriveFileRounded from '@mui/icons-material/InsertDriveFileRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schema } from '../../../shared/api/client';
import { readingAddress } from '../../../shared/files/reading';
import { useFormat } from '../../../shared/hooks/use-format';
import { SectionCard } from '../../../shared/ui/section-card';
import { row, rows } from './rows';

type HomeFile = Schema<'HomeFileDto'>;

/** Where a file is opened; one that no browser shows is led to in its list. */
function addressOf({ id, zoneId, folderId, can }: HomeFile): string {
  if (can.view) return readingAddress(zoneId, id);
  return `/zones/${zoneId}${folderId === null ? '' : `/folders/${folderId}`}?item=file-${id}`;
}

/** What came last into any of the zones. */
export function RecentFiles({ files }: { files: readonly HomeFile[] }) {
  const { t } = useTranslation('sharedZones');
  const format = useFormat();
  return (
    <SectionCard title={t('home.files')}>
      <Box component="ul" sx={rows}>
        {files.map((file) => (
          <Box component="li" key={file.id}>
            <ButtonBase component={Link} to={addressOf(file)} sx={row}>
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

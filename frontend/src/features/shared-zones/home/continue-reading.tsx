import InsertDriveFileRounded from '@mui/icons-material/InsertDriveFileRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schema } from '../../../shared/api/client';
import { readerPageUrl } from '../../../shared/files/reader-navigation';
import { SectionCard } from '../../../shared/ui/section-card';
import { rowStyles, listStyles } from './row-styles';

type UnfinishedDocument = Schema<'UnfinishedDocumentDto'>;

/** Documents that the user hasn't read to the end; each link leads to the page at which they stopped. */
export function ContinueReading({ documents }: { documents: readonly UnfinishedDocument[] }) {
  const { t } = useTranslation('sharedZones');
  return (
    <SectionCard title={t('home.continue')}>
      <Box component="ul" sx={listStyles}>
        {documents.map(({ id, name, zoneId, zoneName, page, pageCount, thumbnailUrl }) => (
          <Box component="li" key={id}>
            <ButtonBase component={Link} to={readerPageUrl(zoneId, id, page)} sx={rowStyles}>
              <DocumentImage url={thumbnailUrl} />
              <Box sx={{ flex: 1, minWidth: 0 }}>
                <Typography component="p" sx={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Typography>
                <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
                  {zoneName} · {t('home.page', { page, count: pageCount })}
                </Typography>
              </Box>
            </ButtonBase>
          </Box>
        ))}
      </Box>
    </SectionCard>
  );
}

/** The thumbnail of a document, or an icon of the same width. Decorative: the name is next to it. */
function DocumentImage({ url }: { url: string | null }) {
  const [hasFailed, setHasFailed] = useState(false);
  if (url === null || hasFailed) return <InsertDriveFileRounded sx={{ width: 40, color: 'text.secondary' }} />;
  return (
    <Box
      component="img"
      src={url}
      alt=""
      loading="lazy"
      draggable={false}
      onError={() => setHasFailed(true)}
      sx={{
        boxSizing: 'border-box',
        width: 40,
        height: 52,
        border: 1,
        borderColor: 'outline',
        bgcolor: 'background.paper',
        objectFit: 'cover',
        objectPosition: 'top',
      }}
    />
  );
}

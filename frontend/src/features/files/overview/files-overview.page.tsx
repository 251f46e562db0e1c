import FolderSpecialRounded from '@mui/icons-material/FolderSpecialRounded';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { ZoneCards } from '../../../shared/browse/zone-cards';
import { PageHeader } from '../../../shared/ui/page-header';
import { FileStats } from './file-stats';
import { ZoneFiles } from './zone-files';

/** /files: the files in all zones that the user owns, one card for each zone. */
export function FilesOverviewPage() {
  const { t } = useTranslation('filesOverview');
  const list = $api.useQuery('get', '/api/zones');
  const icon = <FolderSpecialRounded />;
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader title={t('title')} description={t('description')} />
      <FileStats />
      <Box sx={{ mt: 4 }}>
        <ZoneCards
          query={list}
          getKey={({ id }) => id}
          errorTitle={t('failed')}
          emptyState={{ icon, title: t('empty.title'), text: t('empty.text'), action: t('empty.action') }}
        >
          {(zone) => <ZoneFiles zone={zone} />}
        </ZoneCards>
      </Box>
    </Box>
  );
}

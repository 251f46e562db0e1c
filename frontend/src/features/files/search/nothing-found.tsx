import SearchOffRounded from '@mui/icons-material/SearchOffRounded';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/ui/empty-state';

/** A search without a result. */
export function NothingFound({ q }: { q: string }) {
  const { t } = useTranslation('files');
  return (
    <Card role="status">
      <EmptyState icon={<SearchOffRounded />} title={t('search.nothing', { q })} text={t('search.nothingText')} />
    </Card>
  );
}

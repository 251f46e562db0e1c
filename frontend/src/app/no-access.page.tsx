import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PageHeader } from '../shared/ui/page-header';

/** Shown instead of a page that the signed-in user may not see. */
export function NoAccessPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('noAccess.title')} description={t('noAccess.text')} />
      <Button component={Link} to="/">
        {t('noAccess.action')}
      </Button>
    </>
  );
}

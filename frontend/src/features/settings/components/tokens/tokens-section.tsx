import AddRounded from '@mui/icons-material/AddRounded';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isAdmin, type CurrentUser } from '../../../../shared/api/current-user';
import { ErrorState } from '../../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../../shared/ui/skeletons';
import { useApiTokens } from '../../api/use-api-tokens';
import { NewTokenDialog } from './new-token-dialog';
import { Section, SectionBody } from '../section';
import { TokenList } from './token-list';

/** API tokens, which let programs act for the user. */
export function TokensSection({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const { data: tokens, error, refetch } = useApiTokens();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const docsLink = (
    <Link href="/api/docs" target="_blank" rel="noreferrer">
      {t('tokens.docs')}
    </Link>
  );
  return (
    <Section
      id="tokens"
      title={t('tokens.title')}
      text={
        <>
          {t('tokens.text')} {docsLink}
        </>
      }
      action={
        <Button startIcon={<AddRounded />} onClick={() => setIsDialogOpen(true)}>
          {t('tokens.make')}
        </Button>
      }
    >
      {tokens && tokens.length > 0 ? (
        <TokenList tokens={tokens} />
      ) : (
        <SectionBody>
          {!tokens && !error && <RowsSkeleton rows={1} />}
          {!tokens && error && <ErrorState title={t('tokens.loadFailed')} error={error} onRetry={refetch} />}
          {tokens && (
            <Typography color="textSecondary">
              {t('tokens.empty')}. {t('tokens.emptyText')}
            </Typography>
          )}
        </SectionBody>
      )}
      <NewTokenDialog open={isDialogOpen} canCreateAdminTokens={isAdmin(user)} onClose={() => setIsDialogOpen(false)} />
    </Section>
  );
}

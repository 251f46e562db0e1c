import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { useFormat } from '../../../../shared/hooks/use-format';
import { useNow } from '../../../../shared/hooks/use-now';
import { toast } from '../../../../shared/toast/toast-store';
import { Badge } from '../../../../shared/ui/badge';
import { ConfirmDialog } from '../../../../shared/ui/confirm-dialog';
import { useTokenChanges, type ApiToken } from '../../api/use-tokens';
import { Row, Rows } from '../rows';

/** The tokens there are. A living one is revoked after a question; an expired one does nothing and just goes. */
export function TokenList({ tokens }: { tokens: ApiToken[] }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const now = useNow();
  const { revoke } = useTokenChanges();
  const [asked, setAsked] = useState<ApiToken | null>(null);
  const end = (token: ApiToken, done: string) =>
    revoke.mutate(token.id, {
      onSuccess: () => toast.success(done),
      onError: (error) => toast.error(t('tokens.revokeFailed'), errorText(error)),
      onSettled: () => setAsked(null),
    });
  return (
    <>
      <Rows label={t('tokens.title')}>
        {tokens.map((token) => (
          <TokenRow
            key={token.id}
            token={token}
            now={now}
            onRevoke={() => setAsked(token)}
            onRemove={() => end(token, t('tokens.removed'))}
          />
        ))}
      </Rows>
      <ConfirmDialog
        open={asked !== null}
        title={t('tokens.revokeTitle', { name: asked?.name ?? '' })}
        confirmLabel={t('tokens.revoke')}
        busy={revoke.isPending}
        onConfirm={() => asked && end(asked, t('tokens.revoked'))}
        onClose={() => setAsked(null)}
      >
        {t('tokens.revokeText')}
      </ConfirmDialog>
    </>
  );
}

interface RowProps {
  token: ApiToken;
  now: number;
  onRevoke: () => void;
  onRemove: () => void;
}

function TokenRow({ token, now, onRevoke, onRemove }: RowProps) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { name, scope, expiresAt, lastUsedAt } = token;
  const expired = Date.parse(expiresAt) <= now;
  const expiry = t(expired ? 'tokens.expiredOn' : 'tokens.expires', { when: format.date(expiresAt) });
  const use = lastUsedAt ? t('tokens.used', { when: format.relative(lastUsedAt, now) }) : t('tokens.unused');
  return (
    <Row
      title={
        <>
          <span style={{ overflowWrap: 'anywhere' }}>{name}</span>
          <Badge>{t(`tokens.scopes.${scope}`)}</Badge>
          {expired && <Badge tone="warning">{t('tokens.expired')}</Badge>}
        </>
      }
      text={`${expiry} · ${use}`}
      action={
        expired ? (
          <Button aria-label={t('tokens.removeOf', { name })} onClick={onRemove}>
            {t('tokens.remove')}
          </Button>
        ) : (
          <Button aria-label={t('tokens.revokeOf', { name })} color="error" onClick={onRevoke}>
            {t('tokens.revoke')}
          </Button>
        )
      }
    />
  );
}

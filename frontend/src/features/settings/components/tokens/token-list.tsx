import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { useFormat } from '../../../../shared/hooks/use-format';
import { useNow } from '../../../../shared/hooks/use-now';
import { toast } from '../../../../shared/toast/toast-store';
import { Badge } from '../../../../shared/ui/badge';
import { ConfirmDialog } from '../../../../shared/ui/confirm-dialog';
import { useApiTokenMutations, type ApiToken } from '../../api/use-api-tokens';
import { SettingRow, SettingList } from '../setting-list';

/** The user's tokens. Revoking an active token requires confirmation; an expired one is removed immediately. */
export function TokenList({ tokens }: { tokens: ApiToken[] }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const now = useNow();
  const { revoke } = useApiTokenMutations();
  const [tokenToRevoke, setTokenToRevoke] = useState<ApiToken | null>(null);
  const revokeToken = (token: ApiToken, successMessage: string) =>
    revoke.mutate(token.id, {
      onSuccess: () => toast.success(successMessage),
      onError: (error) => toast.error(t('tokens.revokeFailed'), errorText(error)),
      onSettled: () => setTokenToRevoke(null),
    });
  return (
    <>
      <SettingList label={t('tokens.title')}>
        {tokens.map((token) => (
          <TokenRow
            key={token.id}
            token={token}
            now={now}
            onRevoke={() => setTokenToRevoke(token)}
            onRemove={() => revokeToken(token, t('tokens.removed'))}
          />
        ))}
      </SettingList>
      <ConfirmDialog
        open={tokenToRevoke !== null}
        title={t('tokens.revokeTitle', { name: tokenToRevoke?.name ?? '' })}
        confirmLabel={t('tokens.revoke')}
        isPending={revoke.isPending}
        onConfirm={() => tokenToRevoke && revokeToken(tokenToRevoke, t('tokens.revoked'))}
        onClose={() => setTokenToRevoke(null)}
      >
        {t('tokens.revokeText')}
      </ConfirmDialog>
    </>
  );
}

interface TokenRowProps {
  token: ApiToken;
  now: number;
  onRevoke: () => void;
  onRemove: () => void;
}

function TokenRow({ token, now, onRevoke, onRemove }: TokenRowProps) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { name, scope, expiresAt, lastUsedAt } = token;
  const isExpired = Date.parse(expiresAt) <= now;
  const expiryText = t(isExpired ? 'tokens.expiredOn' : 'tokens.expires', { when: format.date(expiresAt) });
  const lastUseText = lastUsedAt ? t('tokens.used', { when: format.relative(lastUsedAt, now) }) : t('tokens.unused');
  return (
    <SettingRow
      title={
        <>
          <span style={{ overflowWrap: 'anywhere' }}>{name}</span>
          <Badge>{t(`tokens.scopes.${scope}`)}</Badge>
          {isExpired && <Badge tone="warning">{t('tokens.expired')}</Badge>}
        </>
      }
      text={`${expiryText} · ${lastUseText}`}
      action={
        isExpired ? (
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

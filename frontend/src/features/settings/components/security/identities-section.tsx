import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { useFormat } from '../../../../shared/hooks/use-format';
import { toast } from '../../../../shared/toast/toast-store';
import { ConfirmDialog } from '../../../../shared/ui/confirm-dialog';
import { useIdentities, useUnlinkIdentity, type LinkedIdentity } from '../../api/use-identities';
import { SettingRow, SettingList } from '../setting-list';
import { Section } from '../section';

/** The user's external identities. Hidden if there are none. */
export function IdentitiesSection() {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const errorText = useErrorText();
  const { data: identities = [] } = useIdentities();
  const unlink = useUnlinkIdentity();
  const [identityToUnlink, setIdentityToUnlink] = useState<LinkedIdentity | null>(null);
  const unlinkIdentity = ({ id, provider }: LinkedIdentity) =>
    unlink.mutate(id, {
      onSuccess: () => toast.success(t('identities.unlinked', { provider })),
      onError: (error) => toast.error(t('identities.failed'), errorText(error)),
      onSettled: () => setIdentityToUnlink(null),
    });
  if (identities.length === 0) return null;
  return (
    <Section id="identities" title={t('identities.title')} text={t('identities.text')}>
      <SettingList label={t('identities.title')}>
        {identities.map((identity) => (
          <SettingRow
            key={identity.id}
            title={<span style={{ overflowWrap: 'anywhere' }}>{identity.provider}</span>}
            text={
              <span style={{ overflowWrap: 'anywhere' }}>
                {`${identity.email} · ${t('identities.since', { when: format.date(identity.createdAt) })}`}
              </span>
            }
            action={
              <Button
                aria-label={t('identities.unlinkOf', { provider: identity.provider })}
                onClick={() => setIdentityToUnlink(identity)}
              >
                {t('identities.unlink')}
              </Button>
            }
          />
        ))}
      </SettingList>
      <ConfirmDialog
        open={identityToUnlink !== null}
        title={t('identities.unlinkTitle', { provider: identityToUnlink?.provider ?? '' })}
        confirmLabel={t('identities.unlink')}
        isPending={unlink.isPending}
        onConfirm={() => identityToUnlink && unlinkIdentity(identityToUnlink)}
        onClose={() => setIdentityToUnlink(null)}
      >
        {t('identities.unlinkText')}
      </ConfirmDialog>
    </Section>
  );
}

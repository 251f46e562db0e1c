import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../../shared/forms/form-dialog';
import { useForm } from '../../../../shared/forms/use-form';
import { useFormat } from '../../../../shared/hooks/use-format';
import { toast } from '../../../../shared/toast/toast-store';
import { ChoiceField } from '../../../../shared/ui/fields/choice-field';
import { FormField } from '../../../../shared/ui/fields/form-field';
import { useApiTokenMutations, type NewApiToken, type ApiTokenScope } from '../../api/use-api-tokens';
import { CreatedToken } from './created-token';
import { ScopeField } from './scope-field';

const EXPIRY_DAYS = [7, 30, 90, 365];

interface Props {
  open: boolean;
  /** Whether the user can create tokens with administrator access. */
  canCreateAdminTokens: boolean;
  onClose: () => void;
}

/** Creates a token, then shows it once. The user must confirm having copied it. */
export function NewTokenDialog({ open, ...rest }: Props) {
  const [createdToken, setCreatedToken] = useState<NewApiToken | null>(null);
  const close = () => {
    setCreatedToken(null);
    rest.onClose();
  };
  return (
    <FormDialog open={open} onClose={close} closeOnlyByButtons={createdToken !== null}>
      {createdToken ? (
        <CreatedToken createdToken={createdToken} />
      ) : (
        <TokenForm canCreateAdminTokens={rest.canCreateAdminTokens} onCreated={setCreatedToken} />
      )}
    </FormDialog>
  );
}

interface TokenFormProps {
  canCreateAdminTokens: boolean;
  onCreated: (token: NewApiToken) => void;
}

function TokenForm({ canCreateAdminTokens, onCreated }: TokenFormProps) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const format = useFormat();
  const { make } = useApiTokenMutations();
  const form = useForm({
    initial: { name: '', expiresInDays: '30', scope: 'read' },
    validate: ({ name }) => (name.trim() ? {} : { name: t('newToken.nameRequired') }),
    submit: async ({ name, expiresInDays, scope }) => {
      const request = { name: name.trim(), expiresInDays: Number(expiresInDays), scope: scope as ApiTokenScope };
      onCreated(await make.mutateAsync(request));
    },
    onFailure: (error) => toast.error(t('newToken.failed'), errorText(error)),
  });
  const formatExpiry = (days: number) =>
    days === 365 ? t('newToken.year') : t('newToken.days', { count: days, formatted: format.number(days) });
  return (
    <DialogForm title={t('newToken.title')} form={form} submitLabel={t('newToken.submit')}>
      <FormField
        {...form.field('name')}
        label={t('newToken.name')}
        help={t('newToken.nameHelp')}
        autoComplete="off"
        maxLength={100}
        autoFocus
      />
      <ChoiceField
        label={t('newToken.expiry')}
        value={form.values.expiresInDays}
        options={EXPIRY_DAYS.map((days) => ({ value: String(days), label: formatExpiry(days) }))}
        onChange={(days) => form.set('expiresInDays', days)}
      />
      <ScopeField
        value={form.values.scope as ApiTokenScope}
        canCreateAdminTokens={canCreateAdminTokens}
        onChange={(scope) => form.set('scope', scope)}
      />
    </DialogForm>
  );
}

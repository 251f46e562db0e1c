import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { ChoiceField } from '../../../shared/ui/choice-field';
import { FormField } from '../../../shared/ui/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useTokenChanges, type NewApiToken, type Scope } from '../api/use-tokens';
import { MadeToken } from './made-token';
import { ScopeField } from './scope-field';

const lifetimes = [7, 30, 90, 365];

interface Props {
  open: boolean;
  /** Whether the person may make tokens that administer. */
  admin: boolean;
  onClose: () => void;
}

/** Asks for what a token is to be, then shows it, once. That it was copied is left to the person to say. */
export function NewTokenDialog({ open, ...rest }: Props) {
  const id = useId();
  const [made, setMade] = useState<NewApiToken | null>(null);
  const close = () => {
    setMade(null);
    rest.onClose();
  };
  return (
    <Dialog open={open} onClose={made ? undefined : close} aria-labelledby={id} maxWidth="sm">
      {open && !made && <TokenForm titleId={id} {...rest} onMade={setMade} />}
      {open && made && <MadeToken titleId={id} made={made} onClose={close} />}
    </Dialog>
  );
}

interface FormProps extends Omit<Props, 'open'> {
  titleId: string;
  onMade: (token: NewApiToken) => void;
}

function TokenForm({ titleId, admin, onClose, onMade }: FormProps) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const format = useFormat();
  const { make } = useTokenChanges();
  const form = useForm({
    initial: { name: '', expiresInDays: '30', scope: 'read' },
    validate: ({ name }) => (name.trim() ? {} : { name: t('newToken.nameRequired') }),
    submit: async ({ name, expiresInDays, scope }) => {
      const wish = { name: name.trim(), expiresInDays: Number(expiresInDays), scope: scope as Scope };
      onMade(await make.mutateAsync(wish));
    },
    onFailure: (error) => toast.error(t('newToken.failed'), errorText(error)),
  });
  const nameOf = (days: number) =>
    days === 365 ? t('newToken.year') : t('newToken.days', { count: days, formatted: format.number(days) });
  return (
    <form {...form.formProps}>
      <DialogTitle id={titleId}>{t('newToken.title')}</DialogTitle>
      <DialogContent>
        <Stack spacing={5}>
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
            options={lifetimes.map((days) => ({ value: String(days), label: nameOf(days) }))}
            onChange={(days) => form.set('expiresInDays', days)}
          />
          <ScopeField value={form.values.scope as Scope} admin={admin} onChange={(scope) => form.set('scope', scope)} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <SubmitButton sending={form.sending}>{t('newToken.submit')}</SubmitButton>
      </DialogActions>
    </form>
  );
}

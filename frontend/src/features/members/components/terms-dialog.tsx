import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Stack from '@mui/material/Stack';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../shared/api/api-error';
import { nameOf } from '../../../shared/format/person';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/form-field';
import { useChangeMember, type Member } from '../api/use-members';
import { lastMomentOf, toDay } from './day';

interface Props {
  zoneId: number;
  /** null closes the dialog. */
  member: Member | null;
  onClose: () => void;
}

/** What a membership is worth: role and end. */
export function TermsDialog({ zoneId, member, onClose }: Props) {
  const id = useId();
  return (
    <Dialog open={member !== null} onClose={onClose} aria-labelledby={`${id}-title`} fullWidth>
      {member && <TermsForm id={id} zoneId={zoneId} member={member} onClose={onClose} />}
    </Dialog>
  );
}

function TermsForm({ id, zoneId, member, onClose }: Props & { id: string; member: Member }) {
  const { t } = useTranslation('members');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const { mutateAsync } = useChangeMember(zoneId);
  const form = useForm({
    initial: { role: member.role as string, expiresAt: toDay(member.expiresAt) },
    submit: async ({ role, expiresAt }) => {
      const day = expiresAt === toDay(member.expiresAt) ? {} : { expiresAt: lastMomentOf(expiresAt) };
      await mutateAsync({ userId: member.userId, role: role as 'admin' | 'member', ...day });
      toast.success(t('terms.done', { name: nameOf(member.user) }));
      onClose();
    },
    onFailure: (error) => {
      const limit = hasCode(error, 'PLAN_LIMIT');
      toast.error(t(limit ? 'terms.planLimit' : 'terms.failed'), errorText(error));
    },
  });
  return (
    <form {...form.formProps}>
      <DialogTitle id={`${id}-title`}>{t('terms.title', { name: nameOf(member.user) })}</DialogTitle>
      <DialogContent>
        <Stack spacing={4}>
          <div>
            <FormLabel id={`${id}-role`}>{t('columns.role')}</FormLabel>
            <RadioGroup
              aria-labelledby={`${id}-role`}
              value={form.values.role}
              onChange={(event) => form.set('role', event.target.value)}
            >
              <FormControlLabel value="member" control={<Radio />} label={t('terms.member')} />
              <FormControlLabel value="admin" control={<Radio />} label={t('terms.admin')} />
            </RadioGroup>
          </div>
          <FormField
            {...form.field('expiresAt')}
            type="date"
            label={t('terms.end')}
            help={t('terms.endHelp')}
            optional
          />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={form.sending}>
          {common('actions.cancel')}
        </Button>
        <Button type="submit" variant="contained" color="primary" loading={form.sending} loadingPosition="start">
          {t('terms.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../shared/api/api-error';
import { displayNameOf } from '../../../shared/format/person';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { useUpdateMember, type Member } from '../api/use-members';
import { toEndOfDay, toDateInputValue } from './date-input';

interface Props {
  zoneId: number;
  /** null closes the dialog. */
  member: Member | null;
  onClose: () => void;
}

/** Edits role and expiry date of a membership. */
export function EditMembershipDialog({ zoneId, member, onClose }: Props) {
  return (
    <FormDialog open={member !== null} onClose={onClose} maxWidth="xs">
      {member && <EditMembershipForm zoneId={zoneId} member={member} onClose={onClose} />}
    </FormDialog>
  );
}

function EditMembershipForm({ zoneId, member, onClose }: Props & { member: Member }) {
  const id = useId();
  const { t } = useTranslation('members');
  const errorText = useErrorText();
  const { mutateAsync } = useUpdateMember(zoneId);
  const form = useForm({
    initial: { role: member.role as string, expiresAt: toDateInputValue(member.expiresAt) },
    submit: async ({ role, expiresAt }) => {
      const changedEnd = expiresAt === toDateInputValue(member.expiresAt) ? {} : { expiresAt: toEndOfDay(expiresAt) };
      await mutateAsync({ userId: member.userId, role: role as 'admin' | 'member', ...changedEnd });
      toast.success(t('editMembership.done'));
      onClose();
    },
    onFailure: (error) => {
      const isPlanLimit = hasCode(error, 'PLAN_LIMIT');
      toast.error(t(isPlanLimit ? 'editMembership.planLimit' : 'editMembership.failed'), errorText(error));
    },
  });
  return (
    <DialogForm
      title={t('editMembership.title', { name: displayNameOf(member.user) })}
      form={form}
      submitLabel={t('editMembership.submit')}
    >
      <div>
        <FormLabel id={`${id}-role`}>{t('columns.role')}</FormLabel>
        <RadioGroup
          aria-labelledby={`${id}-role`}
          value={form.values.role}
          onChange={(event) => form.set('role', event.target.value)}
        >
          <FormControlLabel value="member" control={<Radio />} label={t('editMembership.member')} />
          <FormControlLabel value="admin" control={<Radio />} label={t('editMembership.admin')} />
        </RadioGroup>
      </div>
      <FormField
        {...form.field('expiresAt')}
        type="date"
        label={t('editMembership.expiresAt')}
        help={t('editMembership.expiresAtHelp')}
        optional
      />
    </DialogForm>
  );
}

import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../../shared/api/api-error';
import { useSignedInUser } from '../../../../shared/api/current-user';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../../shared/forms/form-dialog';
import { useForm } from '../../../../shared/forms/use-form';
import { useFormat } from '../../../../shared/hooks/use-format';
import { useNow } from '../../../../shared/hooks/use-now';
import { useEmailDelivery } from '../../../../shared/site/email-delivery';
import { toast } from '../../../../shared/toast/toast-store';
import { FormField } from '../../../../shared/ui/fields/form-field';
import { useScheduleCampaign, type Campaign } from '../../api/use-campaigns';
import { NativeSelect } from '../../components/native-select';
import { isValidDateTime, toLocalDateTime, timeZonesIncluding } from './schedule-time';

interface Props {
  /** The saved draft; null closes the dialog. */
  campaign: Campaign | null;
  onClose: () => void;
  /** Called if the draft was changed elsewhere since it was saved here. */
  onConflict: () => void;
}

/** Asks when to send a campaign: date and local time in a time zone. */
export function ScheduleDialog({ campaign, ...rest }: Props) {
  return (
    <FormDialog maxWidth="xs" open={campaign !== null} onClose={rest.onClose}>
      {campaign && <ScheduleForm campaign={campaign} {...rest} />}
    </FormDialog>
  );
}

const HOUR = 3_600_000;
/** Maximum scheduling time in milliseconds; the server enforces the same limit. */
const MAX_SCHEDULE_AHEAD = 730 * 24 * HOUR;

type FormProps = Omit<Props, 'campaign'> & { campaign: Campaign };

function ScheduleForm({ campaign, onClose, onConflict }: FormProps) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const errorText = useErrorText();
  const schedule = useScheduleCampaign();
  const isDeliveryDisabled = useEmailDelivery() === 'none';
  const now = useNow();
  const { updatedAt } = campaign;
  const userTimeZone = useSignedInUser().timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const form = useForm({
    draft: { key: `campaign.${campaign.id}.schedule`, fields: ['date', 'time', 'timeZone'] },
    initial: { ...toLocalDateTime(userTimeZone, now + HOUR), timeZone: userTimeZone, scheduledAt: '' },
    validate: ({ date, time, timeZone }) => {
      const wall = toLocalDateTime(timeZone, Date.now());
      const isAhead = isValidDateTime(date, time) && `${date}T${time}` > `${wall.date}T${wall.time}`;
      return isAhead ? {} : { date: t('schedule.invalid') };
    },
    submit: async ({ date, time, timeZone }) => {
      const done = await schedule.mutateAsync({ id: campaign.id, scheduledAt: `${date}T${time}`, timeZone, updatedAt });
      toast.success(t('schedule.done'), t('schedule.doneFor', { when: format.dateTime(done.scheduledAt ?? '') }));
    },
    onFailure: (error) => {
      if (!hasCode(error, 'CAMPAIGN_CHANGED')) return toast.error(t('schedule.failed'), errorText(error));
      onClose();
      onConflict();
    },
  });
  const { timeZone } = form.values;
  const date = form.field('date');
  return (
    <DialogForm title={t('schedule.title')} form={form} submitLabel={t('schedule.confirm')}>
      <Typography color="textSecondary">{t('schedule.text')}</Typography>
      {isDeliveryDisabled && (
        <Alert severity="warning" role="note">
          {t('schedule.onHold')}
        </Alert>
      )}
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: '1fr 1fr' }}>
        <FormField
          {...date}
          error={date.error ?? form.errors.scheduledAt}
          label={t('schedule.date')}
          type="date"
          min={toLocalDateTime(timeZone, now).date}
          max={toLocalDateTime(timeZone, now + MAX_SCHEDULE_AHEAD).date}
        />
        <FormField {...form.field('time')} label={t('schedule.time')} type="time" />
      </Box>
      <NativeSelect label={t('schedule.zone')} value={timeZone} onChange={(next) => form.set('timeZone', next)}>
        {timeZonesIncluding(userTimeZone).map((name) => (
          <option key={name} value={name}>
            {name.replaceAll('_', ' ')}
          </option>
        ))}
      </NativeSelect>
    </DialogForm>
  );
}

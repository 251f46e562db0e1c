import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { keepPreviousData } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { fieldLimits, type Suggestion } from '../suggestion';

const SEARCH_DEBOUNCE = 250;
/** Maximum number of suggestions to choose from; a more specific search finds others. */
const MAX_CANDIDATES = 8;

interface Props {
  suggestion: Suggestion;
  onClose: () => void;
  /** Called when the suggestions have been merged. */
  onMerged: () => void;
}

/** Lets administrators merge a suggestion into another one with the same content. */
export function MergeDialog({ suggestion, onClose, onMerged }: Props) {
  const { t } = useTranslation('suggestions');
  const { t: tCommon } = useTranslation();
  const errorText = useErrorText();
  const titleId = useId();
  const [searchText, setSearchText] = useState('');
  const [targetId, setTargetId] = useState<number | null>(null);
  const candidates = useCandidates(suggestion, searchText);
  const merge = $api.useMutation('post', '/api/feature-suggestions/{id}/merge', {
    onSuccess: () => {
      toast.success(t('merge.done'));
      onMerged();
      onClose();
    },
    onError: (error) => toast.error(t('merge.failed'), errorText(error)),
  });
  const submit = () =>
    targetId !== null && merge.mutate({ params: { path: { id: suggestion.id } }, body: { intoId: targetId } });
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {t('merge.title', { title: suggestion.title })}
      </DialogTitle>
      <DialogContent>
        <Stack spacing={4}>
          <Typography>{t('merge.text')}</Typography>
          <TextField
            size="small"
            type="search"
            label={t('merge.search')}
            value={searchText}
            onChange={(event) => {
              setSearchText(event.target.value);
              setTargetId(null);
            }}
            slotProps={{ htmlInput: { maxLength: 200 } }}
          />
          <CandidateList candidates={candidates} value={targetId} onChange={setTargetId} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{tCommon('actions.cancel')}</Button>
        <Button
          variant="contained"
          color="primary"
          disabled={!candidates?.some(({ id }) => id === targetId)}
          loading={merge.isPending}
          onClick={submit}
        >
          {t('merge.submit')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/**
 * Returns the suggestions it can be merged into: initially similar ones, then search results; undefined while loading.
 */
function useCandidates({ id, title }: Suggestion, searchText: string): Suggestion[] | undefined {
  const q = useDebounced(searchText.trim(), SEARCH_DEBOUNCE);
  const similar = $api.useQuery(
    'get',
    '/api/feature-suggestions/similar',
    { params: { query: { title: title.slice(0, fieldLimits.title.most) } } },
    { enabled: q === '' },
  );
  const matching = $api.useQuery(
    'get',
    '/api/feature-suggestions',
    { params: { query: { q, limit: MAX_CANDIDATES + 1 } } },
    { enabled: q !== '', placeholderData: keepPreviousData },
  );
  const data = q === '' ? similar.data : matching.data;
  return data?.filter((suggestion) => suggestion.id !== id && suggestion.mergedInto === null).slice(0, MAX_CANDIDATES);
}

interface CandidatesProps {
  candidates: readonly Suggestion[] | undefined;
  value: number | null;
  onChange: (id: number) => void;
}

function CandidateList({ candidates, value, onChange }: CandidatesProps) {
  const { t } = useTranslation('suggestions');
  const format = useFormat();
  if (!candidates) return null;
  if (candidates.length === 0) return <Typography color="textSecondary">{t('merge.none')}</Typography>;
  return (
    <RadioGroup
      aria-label={t('merge.into')}
      value={value === null ? '' : String(value)}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {candidates.map(({ id, title, status, voteCount }) => (
        <FormControlLabel
          key={id}
          value={String(id)}
          control={<Radio />}
          sx={{ alignItems: 'flex-start', mr: 0, py: 1 }}
          label={
            <>
              <Typography component="span" sx={{ display: 'block', overflowWrap: 'anywhere', mt: 2 }}>
                {title}
              </Typography>
              <Typography component="span" variant="body2" color="textSecondary">
                {t(`status.${status}`)} · {t('votes', { count: voteCount, formatted: format.number(voteCount) })}
              </Typography>
            </>
          }
        />
      ))}
    </RadioGroup>
  );
}

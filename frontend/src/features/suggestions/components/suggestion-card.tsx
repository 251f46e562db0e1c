import EditRounded from '@mui/icons-material/EditRounded';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import IconButton from '@mui/material/IconButton';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { toneByStatus, type Suggestion } from '../suggestion';
import { OwnSuggestionActions } from './own-suggestion-actions';
import { VoteButton } from './vote-button';

interface Props {
  suggestion: Suggestion;
  /** Called by people who can edit it. */
  onEdit: (suggestion: Suggestion) => void;
}

/** A suggestion with its votes and the administrators' response. */
export function SuggestionCard({ suggestion, onEdit }: Props) {
  const { t } = useTranslation('suggestions');
  const id = useId();
  return (
    <Card component="article" aria-labelledby={id} sx={{ display: 'flex', gap: 4, p: 4 }}>
      <VoteButton suggestion={suggestion} />
      <Box sx={{ flex: 1, minWidth: 0, display: 'grid', gap: 2, alignContent: 'start' }}>
        <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}>
          <Typography id={id} variant="h3" component="h2" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            {suggestion.title}
          </Typography>
          {suggestion.can.update && (
            <IconButton
              edge="end"
              size="small"
              aria-label={t('edit.open', { title: suggestion.title })}
              onClick={() => onEdit(suggestion)}
            >
              <EditRounded />
            </IconButton>
          )}
        </Box>
        <Badges suggestion={suggestion} />
        <Typography sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere', maxWidth: '80ch' }}>
          {suggestion.description}
        </Typography>
        <MergeNote suggestion={suggestion} />
        <AdminResponse suggestion={suggestion} />
        <Byline suggestion={suggestion} />
        {suggestion.can.edit && <OwnSuggestionActions suggestion={suggestion} />}
      </Box>
    </Card>
  );
}

function Badges({ suggestion: { category, status, priority } }: { suggestion: Suggestion }) {
  const { t } = useTranslation('suggestions');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      <Badge tone={toneByStatus[status]}>{t(`status.${status}`)}</Badge>
      <Badge>{t(`category.${category}`)}</Badge>
      {priority !== 'medium' && (
        <Badge tone={priority === 'high' ? 'warning' : 'neutral'}>{t(`priority.${priority}`)}</Badge>
      )}
    </Box>
  );
}

/** Links the user's merged suggestion to the one it was merged into; on that one, says that it stands for several. */
function MergeNote({ suggestion: { mergedInto, mergedCount } }: { suggestion: Suggestion }) {
  const { t } = useTranslation('suggestions');
  const format = useFormat();
  if (mergedInto) {
    const { title, voteCount } = mergedInto;
    return (
      <Typography sx={{ overflowWrap: 'anywhere' }}>
        {t('merge.into')}{' '}
        <MuiLink component={Link} to={`/feature-suggestions?${new URLSearchParams({ q: title })}`}>
          {title}
        </MuiLink>{' '}
        ({t('votes', { count: voteCount, formatted: format.number(voteCount) })})
      </Typography>
    );
  }
  if (mergedCount === 0) return null;
  return (
    <Typography variant="body2" color="textSecondary">
      {t('merge.count', { count: mergedCount, formatted: format.number(mergedCount) })}
    </Typography>
  );
}

/** Notes, estimate and version, if there are any. */
function AdminResponse({ suggestion: { adminNotes, estimatedHours, targetVersion } }: { suggestion: Suggestion }) {
  const { t } = useTranslation('suggestions');
  const format = useFormat();
  if (!adminNotes && !estimatedHours && !targetVersion) return null;
  const planDetails = [
    estimatedHours && t('hours', { count: estimatedHours, formatted: format.number(estimatedHours) }),
    targetVersion && t('version', { version: targetVersion }),
  ].filter(Boolean);
  return (
    <Box sx={{ px: 3, py: 2, borderRadius: 1, bgcolor: 'tint.neutral', maxWidth: '80ch' }}>
      {adminNotes && (
        <>
          <Typography variant="subtitle2" component="h3">
            {t('notes')}
          </Typography>
          <Typography sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{adminNotes}</Typography>
        </>
      )}
      {planDetails.length > 0 && (
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {planDetails.join(' · ')}
        </Typography>
      )}
    </Box>
  );
}

function Byline({ suggestion: { submitterName, isOwn, createdAt } }: { suggestion: Suggestion }) {
  const { t } = useTranslation('suggestions');
  const format = useFormat();
  const name = isOwn ? t('you') : (submitterName ?? t('nobody'));
  return (
    <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
      {name} · <time dateTime={createdAt}>{format.date(createdAt)}</time>
    </Typography>
  );
}

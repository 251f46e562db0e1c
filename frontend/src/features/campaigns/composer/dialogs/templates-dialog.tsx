import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { toast } from '../../../../shared/toast/toast-store';
import { ErrorState } from '../../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../../shared/ui/skeletons';
import { useRenderMergeFields } from '../../components/use-render-merge-fields';
import { useDeleteTemplate, useTemplates, type Template } from '../../api/use-templates';

interface Props {
  open: boolean;
  onSelect: (template: Template) => void;
  onClose: () => void;
}

/** Offers the built-in templates and the user's own to start from. */
export function TemplatesDialog({ open, onSelect, onClose }: Props) {
  const { t } = useTranslation('campaigns');
  const id = useId();
  const { data: templates, error, refetch } = useTemplates(open);
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={id} maxWidth="sm" fullWidth>
      <DialogTitle id={id}>{t('templates.title')}</DialogTitle>
      <DialogContent>
        <Typography color="textSecondary">{t('templates.text')}</Typography>
        {error && !templates && <ErrorState title={t('templates.failed')} error={error} onRetry={refetch} />}
        {!templates && !error && <RowsSkeleton rows={2} />}
        {templates && (
          <List aria-label={t('templates.title')}>
            {templates.map((template) => (
              <TemplateItem
                key={template.id ?? template.builtIn}
                template={template}
                onUse={() => {
                  onSelect(template);
                  onClose();
                }}
              />
            ))}
          </List>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('templates.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

function TemplateItem({ template, onUse }: { template: Template; onUse: () => void }) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const renderMergeFields = useRenderMergeFields();
  const deletion = useDeleteTemplate();
  const { id, name, subject } = template;
  const remove = (own: number) =>
    deletion.mutate(own, {
      onSuccess: () => toast.success(t('templates.deleted')),
      onError: (error) => toast.error(t('templates.deleteFailed'), errorText(error)),
    });
  return (
    <ListItem
      disablePadding
      secondaryAction={
        id !== null && (
          <IconButton
            edge="end"
            aria-label={t('templates.delete', { name })}
            disabled={deletion.isPending}
            onClick={() => remove(id)}
          >
            <DeleteOutlineRounded />
          </IconButton>
        )
      }
    >
      <ListItemButton onClick={onUse} aria-label={t('templates.use', { name })}>
        <ListItemText
          primary={name}
          secondary={`${id === null ? t('templates.builtIn') : t('templates.own')} · ${renderMergeFields(subject)}`}
          sx={{ overflowWrap: 'anywhere' }}
        />
      </ListItemButton>
    </ListItem>
  );
}

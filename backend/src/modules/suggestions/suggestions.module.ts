import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { FeatureSuggestion } from './entities/feature-suggestion.entity.js';
import { FeatureVote } from './entities/feature-vote.entity.js';
import { MergesController } from './merging/merges.controller.js';
import { SuggestionMergeService } from './merging/suggestion-merge.service.js';
import { OwnSuggestionService } from './own/own-suggestion.service.js';
import { SuggestionRepository } from './suggestion.repository.js';
import { SuggestionListService } from './suggestion-list.service.js';
import { SuggestionService } from './suggestion.service.js';
import { SuggestionsController } from './suggestions.controller.js';
import { VoteService } from './vote.service.js';
import { SuggestionMailer } from './suggestion-mailer.js';

@Module({
  imports: [MikroOrmModule.forFeature([FeatureSuggestion, FeatureVote]), AuthModule],
  controllers: [SuggestionsController, MergesController],
  providers: [
    OwnSuggestionService,
    SuggestionListService,
    SuggestionMergeService,
    SuggestionRepository,
    SuggestionService,
    SuggestionMailer,
    VoteService,
  ],
  exports: [SuggestionListService, VoteService],
})
export class SuggestionsModule {}

import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { FeatureSuggestion } from './entities/feature-suggestion.entity.js';
import { FeatureVote } from './entities/feature-vote.entity.js';
import { SuggestionListService } from './suggestion-list.service.js';
import { SuggestionService } from './suggestion.service.js';
import { SuggestionsController } from './suggestions.controller.js';
import { SuggestionsPersonalData } from './suggestions-personal-data.js';
import { TellSuggestionStatusHandler } from './tell-suggestion-status.handler.js';
import { VoteService } from './vote.service.js';

@Module({
  imports: [MikroOrmModule.forFeature([FeatureSuggestion, FeatureVote]), AuthModule],
  controllers: [SuggestionsController],
  providers: [
    SuggestionListService,
    SuggestionService,
    SuggestionsPersonalData,
    TellSuggestionStatusHandler,
    VoteService,
  ],
  exports: [SuggestionListService],
})
export class SuggestionsModule {}

// Onboarding flows.
import { AnswerView } from "./answers.js";
export class FlowView extends AnswerView {
  start() {}
}

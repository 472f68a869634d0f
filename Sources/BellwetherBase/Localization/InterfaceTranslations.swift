/// The texts of the interface in the built-in languages, in the order of `InterfaceText.all`
/// (docs/reference/surveys.md#texts-of-the-interface).
enum InterfaceTranslations {
    /// The texts by the language's code.
    static let all: [String: [String]] = [
        "ar": [
            "استبيان", "إرسال", "تخطٍّ", "التالي", "رجوع", "تم", "إلغاء", "هل لديك لحظة؟",
            "هل يمكنك الإجابة عن بضعة أسئلة؟", "نعم، بكل سرور", "ربما لاحقًا", "لا تسأل مرة أخرى",
            "عدم العرض مرة أخرى", "شكرًا لك!", "تم إرسال إجاباتك.", "حدث خطأ ما", "يرجى الإجابة عن هذا السؤال.",
            "يرجى المحاولة مرة أخرى.", "غير محتمل", "محتمل جدًا",
        ],
        "de": [
            "Fragebogen", "Absenden", "Überspringen", "Weiter", "Zurück", "Fertig", "Abbrechen", "Hast du kurz Zeit?",
            "Dürfen wir dir ein paar Fragen stellen?", "Ja, gern", "Vielleicht später", "Nicht mehr fragen",
            "Nicht mehr anzeigen", "Danke!", "Deine Antworten wurden gesendet.", "Das hat nicht geklappt",
            "Bitte beantworte diese Frage.", "Bitte versuche es noch einmal.", "Unwahrscheinlich",
            "Sehr wahrscheinlich",
        ],
        "es": [
            "Cuestionario", "Enviar", "Omitir", "Siguiente", "Atrás", "Listo", "Cancelar", "¿Nos ayudas un momento?",
            "¿Tienes un minuto para responder unas preguntas?", "Sí, con gusto", "Quizá más tarde",
            "No volver a preguntar", "No volver a mostrar", "¡Gracias!", "Tus respuestas se han enviado.",
            "Algo ha salido mal", "Responde a esta pregunta.", "Inténtalo de nuevo.", "Nada probable", "Muy probable",
        ],
        "fr": [
            "Questionnaire", "Envoyer", "Passer", "Suivant", "Retour", "Terminé", "Annuler", "Un petit service ?",
            "Auriez-vous une minute pour répondre à quelques questions ?", "Avec plaisir", "Plus tard",
            "Ne plus me demander", "Ne plus afficher", "Merci !", "Vos réponses ont été envoyées.",
            "Une erreur s'est produite", "Veuillez répondre à cette question.", "Veuillez réessayer.", "Peu probable",
            "Très probable",
        ],
        "he": [
            "שאלון", "שליחה", "דילוג", "הבא", "הקודם", "סיום", "ביטול", "יש לך רגע?", "אפשר לשאול אותך כמה שאלות?",
            "כן, בשמחה", "אולי אחר כך", "לא לשאול שוב", "לא להציג שוב", "תודה!", "התשובות נשלחו.", "משהו השתבש",
            "יש לענות על שאלה זו.", "יש לנסות שוב.", "לא סביר", "סביר מאוד",
        ],
        "it": [
            "Questionario", "Invia", "Salta", "Avanti", "Indietro", "Fine", "Annulla", "Ci aiuti un attimo?",
            "Hai un minuto per rispondere ad alcune domande?", "Sì, volentieri", "Forse più tardi",
            "Non chiedere più", "Non mostrare più", "Grazie!", "Le tue risposte sono state inviate.",
            "Qualcosa è andato storto", "Rispondi a questa domanda.", "Riprova.", "Poco probabile", "Molto probabile",
        ],
        "ja": [
            "アンケート", "送信", "スキップ", "次へ", "戻る", "完了", "キャンセル", "少しだけご協力ください", "いくつかの質問にお答えいただけますか？", "はい、協力します", "後で",
            "今後表示しない", "今後表示しない", "ありがとうございました", "回答を送信しました。", "エラーが発生しました", "この質問に回答してください。", "もう一度お試しください。",
            "可能性は低い", "可能性は高い",
        ],
        "nl": [
            "Vragenlijst", "Versturen", "Overslaan", "Volgende", "Terug", "Klaar", "Annuleren", "Heb je even tijd?",
            "Heb je een minuut voor een paar vragen?", "Ja, graag", "Misschien later", "Niet meer vragen",
            "Niet meer tonen", "Bedankt!", "Je antwoorden zijn verstuurd.", "Er ging iets mis",
            "Beantwoord deze vraag.", "Probeer het opnieuw.", "Onwaarschijnlijk", "Heel waarschijnlijk",
        ],
        "pl": [
            "Ankieta", "Wyślij", "Pomiń", "Dalej", "Wstecz", "Gotowe", "Anuluj", "Masz chwilę?",
            "Czy możesz odpowiedzieć na kilka pytań?", "Tak, chętnie", "Może później", "Nie pytaj więcej",
            "Nie pokazuj więcej", "Dziękujemy!", "Odpowiedzi zostały wysłane.", "Coś poszło nie tak",
            "Odpowiedz na to pytanie.", "Spróbuj ponownie.", "Mało prawdopodobne", "Bardzo prawdopodobne",
        ],
        "pt": [
            "Questionário", "Enviar", "Pular", "Avançar", "Voltar", "Concluir", "Cancelar", "Pode nos ajudar?",
            "Você tem um minuto para responder a algumas perguntas?", "Sim, com prazer", "Talvez mais tarde",
            "Não perguntar de novo", "Não mostrar de novo", "Obrigado!", "Suas respostas foram enviadas.",
            "Algo deu errado", "Responda a esta pergunta.", "Tente novamente.", "Pouco provável", "Muito provável",
        ],
    ]

    /// The title of a survey without a name, by the language's code.
    static let surveyTitles = [
        "ar": "استطلاع", "de": "Umfrage", "en": "Survey", "es": "Encuesta", "fr": "Enquête", "he": "סקר",
        "it": "Sondaggio",
        "ja": "アンケート", "nl": "Enquête", "pl": "Ankieta", "pt": "Pesquisa",
    ]
}

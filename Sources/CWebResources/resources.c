#include "CWebResources.h"

#include <string.h>

/* #embed is C23. */
#pragma clang diagnostic ignored "-Wc23-extensions"

/* Each file of Sources/Web/Resources twice: its bytes, and its row in the table. A test compares both with the folder. */
#define BYTES(name) static const unsigned char name[] = {
#define END };

BYTES(account_mustache)
#embed "../Web/Resources/Templates/account.mustache"
END
BYTES(accounts_mustache)
#embed "../Web/Resources/Templates/accounts.mustache"
END
BYTES(alarm_mustache)
#embed "../Web/Resources/Templates/alarm.mustache"
END
BYTES(alarms_mustache)
#embed "../Web/Resources/Templates/alarms.mustache"
END
BYTES(authority_field_mustache)
#embed "../Web/Resources/Templates/authority-field.mustache"
END
BYTES(bank_mustache)
#embed "../Web/Resources/Templates/bank.mustache"
END
BYTES(banks_mustache)
#embed "../Web/Resources/Templates/banks.mustache"
END
BYTES(budgets_mustache)
#embed "../Web/Resources/Templates/budgets.mustache"
END
BYTES(bulk_mustache)
#embed "../Web/Resources/Templates/bulk.mustache"
END
BYTES(categories_mustache)
#embed "../Web/Resources/Templates/categories.mustache"
END
BYTES(chart_mustache)
#embed "../Web/Resources/Templates/chart.mustache"
END
BYTES(columns_mustache)
#embed "../Web/Resources/Templates/columns.mustache"
END
BYTES(consent_form_mustache)
#embed "../Web/Resources/Templates/consent-form.mustache"
END
BYTES(consent_request_mustache)
#embed "../Web/Resources/Templates/consent-request.mustache"
END
BYTES(dashboard_mustache)
#embed "../Web/Resources/Templates/dashboard.mustache"
END
BYTES(due_payment_mustache)
#embed "../Web/Resources/Templates/due-payment.mustache"
END
BYTES(dues_mustache)
#embed "../Web/Resources/Templates/dues.mustache"
END
BYTES(export_mustache)
#embed "../Web/Resources/Templates/export.mustache"
END
BYTES(faults_mustache)
#embed "../Web/Resources/Templates/faults.mustache"
END
BYTES(fields_mustache)
#embed "../Web/Resources/Templates/fields.mustache"
END
BYTES(help_mustache)
#embed "../Web/Resources/Templates/help.mustache"
END
BYTES(history_mustache)
#embed "../Web/Resources/Templates/history.mustache"
END
BYTES(layout_mustache)
#embed "../Web/Resources/Templates/layout.mustache"
END
BYTES(link_card_mustache)
#embed "../Web/Resources/Templates/link-card.mustache"
END
BYTES(login_mustache)
#embed "../Web/Resources/Templates/login.mustache"
END
BYTES(mail_mustache)
#embed "../Web/Resources/Templates/mail.mustache"
END
BYTES(mailbox_consent_mustache)
#embed "../Web/Resources/Templates/mailbox-consent.mustache"
END
BYTES(mailbox_fields_mustache)
#embed "../Web/Resources/Templates/mailbox-fields.mustache"
END
BYTES(mailbox_form_mustache)
#embed "../Web/Resources/Templates/mailbox-form.mustache"
END
BYTES(mailbox_removal_mustache)
#embed "../Web/Resources/Templates/mailbox-removal.mustache"
END
BYTES(mailbox_setup_mustache)
#embed "../Web/Resources/Templates/mailbox-setup.mustache"
END
BYTES(mailboxes_mustache)
#embed "../Web/Resources/Templates/mailboxes.mustache"
END
BYTES(mailed_statements_mustache)
#embed "../Web/Resources/Templates/mailed-statements.mustache"
END
BYTES(mails_mustache)
#embed "../Web/Resources/Templates/mails.mustache"
END
BYTES(mapping_form_mustache)
#embed "../Web/Resources/Templates/mapping-form.mustache"
END
BYTES(mapping_mustache)
#embed "../Web/Resources/Templates/mapping.mustache"
END
BYTES(marked_mustache)
#embed "../Web/Resources/Templates/marked.mustache"
END
BYTES(message_mustache)
#embed "../Web/Resources/Templates/message.mustache"
END
BYTES(new_mailbox_mustache)
#embed "../Web/Resources/Templates/new-mailbox.mustache"
END
BYTES(notification_form_mustache)
#embed "../Web/Resources/Templates/notification-form.mustache"
END
BYTES(notification_removal_mustache)
#embed "../Web/Resources/Templates/notification-removal.mustache"
END
BYTES(pair_mustache)
#embed "../Web/Resources/Templates/pair.mustache"
END
BYTES(passkey_mustache)
#embed "../Web/Resources/Templates/passkey.mustache"
END
BYTES(passphrase_field_mustache)
#embed "../Web/Resources/Templates/passphrase-field.mustache"
END
BYTES(passphrase_mustache)
#embed "../Web/Resources/Templates/passphrase.mustache"
END
BYTES(payee_mustache)
#embed "../Web/Resources/Templates/payee.mustache"
END
BYTES(payees_mustache)
#embed "../Web/Resources/Templates/payees.mustache"
END
BYTES(period_mustache)
#embed "../Web/Resources/Templates/period.mustache"
END
BYTES(phone_mustache)
#embed "../Web/Resources/Templates/phone.mustache"
END
BYTES(problems_mustache)
#embed "../Web/Resources/Templates/problems.mustache"
END
BYTES(question_mustache)
#embed "../Web/Resources/Templates/question.mustache"
END
BYTES(questions_mustache)
#embed "../Web/Resources/Templates/questions.mustache"
END
BYTES(recurring_form_mustache)
#embed "../Web/Resources/Templates/recurring-form.mustache"
END
BYTES(recurring_mustache)
#embed "../Web/Resources/Templates/recurring.mustache"
END
BYTES(refusal_mustache)
#embed "../Web/Resources/Templates/refusal.mustache"
END
BYTES(resend_mustache)
#embed "../Web/Resources/Templates/resend.mustache"
END
BYTES(review_item_mustache)
#embed "../Web/Resources/Templates/review-item.mustache"
END
BYTES(review_mustache)
#embed "../Web/Resources/Templates/review.mustache"
END
BYTES(search_words_mustache)
#embed "../Web/Resources/Templates/search-words.mustache"
END
BYTES(searches_mustache)
#embed "../Web/Resources/Templates/searches.mustache"
END
BYTES(section_link_mustache)
#embed "../Web/Resources/Templates/section-link.mustache"
END
BYTES(settings_mustache)
#embed "../Web/Resources/Templates/settings.mustache"
END
BYTES(split_card_mustache)
#embed "../Web/Resources/Templates/split-card.mustache"
END
BYTES(standing_mustache)
#embed "../Web/Resources/Templates/standing.mustache"
END
BYTES(start_mustache)
#embed "../Web/Resources/Templates/start.mustache"
END
BYTES(statement_mustache)
#embed "../Web/Resources/Templates/statement.mustache"
END
BYTES(statements_mustache)
#embed "../Web/Resources/Templates/statements.mustache"
END
BYTES(statistics_mustache)
#embed "../Web/Resources/Templates/statistics.mustache"
END
BYTES(tag_mustache)
#embed "../Web/Resources/Templates/tag.mustache"
END
BYTES(tags_mustache)
#embed "../Web/Resources/Templates/tags.mustache"
END
BYTES(template_mustache)
#embed "../Web/Resources/Templates/template.mustache"
END
BYTES(templates_mustache)
#embed "../Web/Resources/Templates/templates.mustache"
END
BYTES(test_bench_mustache)
#embed "../Web/Resources/Templates/test-bench.mustache"
END
BYTES(token_mustache)
#embed "../Web/Resources/Templates/token.mustache"
END
BYTES(transaction_mustache)
#embed "../Web/Resources/Templates/transaction.mustache"
END
BYTES(transactions_mustache)
#embed "../Web/Resources/Templates/transactions.mustache"
END
BYTES(transfer_card_mustache)
#embed "../Web/Resources/Templates/transfer-card.mustache"
END
BYTES(transfer_questions_mustache)
#embed "../Web/Resources/Templates/transfer-questions.mustache"
END
BYTES(transfers_mustache)
#embed "../Web/Resources/Templates/transfers.mustache"
END
BYTES(upload_ended_mustache)
#embed "../Web/Resources/Templates/upload-ended.mustache"
END
BYTES(use_template_mustache)
#embed "../Web/Resources/Templates/use-template.mustache"
END
BYTES(users_mustache)
#embed "../Web/Resources/Templates/users.mustache"
END
BYTES(en_json)
#embed "../Web/Resources/Texts/en.json"
END
BYTES(hi_json)
#embed "../Web/Resources/Texts/hi.json"
END
BYTES(icon_png)
#embed "../Web/Resources/icon.png"
END
BYTES(icon_svg)
#embed "../Web/Resources/icon.svg"
END
BYTES(page_js)
#embed "../Web/Resources/page.js"
END
BYTES(passkey_js)
#embed "../Web/Resources/passkey.js"
END
BYTES(style_css)
#embed "../Web/Resources/style.css"
END

#define ROW(file, name) {file, name, sizeof name}

static const struct spendwise_web_resource rows[] = {
    ROW("account.mustache", account_mustache),
    ROW("accounts.mustache", accounts_mustache),
    ROW("alarm.mustache", alarm_mustache),
    ROW("alarms.mustache", alarms_mustache),
    ROW("authority-field.mustache", authority_field_mustache),
    ROW("bank.mustache", bank_mustache),
    ROW("banks.mustache", banks_mustache),
    ROW("budgets.mustache", budgets_mustache),
    ROW("bulk.mustache", bulk_mustache),
    ROW("categories.mustache", categories_mustache),
    ROW("chart.mustache", chart_mustache),
    ROW("columns.mustache", columns_mustache),
    ROW("consent-form.mustache", consent_form_mustache),
    ROW("consent-request.mustache", consent_request_mustache),
    ROW("dashboard.mustache", dashboard_mustache),
    ROW("due-payment.mustache", due_payment_mustache),
    ROW("dues.mustache", dues_mustache),
    ROW("export.mustache", export_mustache),
    ROW("faults.mustache", faults_mustache),
    ROW("fields.mustache", fields_mustache),
    ROW("help.mustache", help_mustache),
    ROW("history.mustache", history_mustache),
    ROW("layout.mustache", layout_mustache),
    ROW("link-card.mustache", link_card_mustache),
    ROW("login.mustache", login_mustache),
    ROW("mail.mustache", mail_mustache),
    ROW("mailbox-consent.mustache", mailbox_consent_mustache),
    ROW("mailbox-fields.mustache", mailbox_fields_mustache),
    ROW("mailbox-form.mustache", mailbox_form_mustache),
    ROW("mailbox-removal.mustache", mailbox_removal_mustache),
    ROW("mailbox-setup.mustache", mailbox_setup_mustache),
    ROW("mailboxes.mustache", mailboxes_mustache),
    ROW("mailed-statements.mustache", mailed_statements_mustache),
    ROW("mails.mustache", mails_mustache),
    ROW("mapping-form.mustache", mapping_form_mustache),
    ROW("mapping.mustache", mapping_mustache),
    ROW("marked.mustache", marked_mustache),
    ROW("message.mustache", message_mustache),
    ROW("new-mailbox.mustache", new_mailbox_mustache),
    ROW("notification-form.mustache", notification_form_mustache),
    ROW("notification-removal.mustache", notification_removal_mustache),
    ROW("pair.mustache", pair_mustache),
    ROW("passkey.mustache", passkey_mustache),
    ROW("passphrase-field.mustache", passphrase_field_mustache),
    ROW("passphrase.mustache", passphrase_mustache),
    ROW("payee.mustache", payee_mustache),
    ROW("payees.mustache", payees_mustache),
    ROW("period.mustache", period_mustache),
    ROW("phone.mustache", phone_mustache),
    ROW("problems.mustache", problems_mustache),
    ROW("question.mustache", question_mustache),
    ROW("questions.mustache", questions_mustache),
    ROW("recurring-form.mustache", recurring_form_mustache),
    ROW("recurring.mustache", recurring_mustache),
    ROW("refusal.mustache", refusal_mustache),
    ROW("resend.mustache", resend_mustache),
    ROW("review-item.mustache", review_item_mustache),
    ROW("review.mustache", review_mustache),
    ROW("search-words.mustache", search_words_mustache),
    ROW("searches.mustache", searches_mustache),
    ROW("section-link.mustache", section_link_mustache),
    ROW("settings.mustache", settings_mustache),
    ROW("split-card.mustache", split_card_mustache),
    ROW("standing.mustache", standing_mustache),
    ROW("start.mustache", start_mustache),
    ROW("statement.mustache", statement_mustache),
    ROW("statements.mustache", statements_mustache),
    ROW("statistics.mustache", statistics_mustache),
    ROW("tag.mustache", tag_mustache),
    ROW("tags.mustache", tags_mustache),
    ROW("template.mustache", template_mustache),
    ROW("templates.mustache", templates_mustache),
    ROW("test-bench.mustache", test_bench_mustache),
    ROW("token.mustache", token_mustache),
    ROW("transaction.mustache", transaction_mustache),
    ROW("transactions.mustache", transactions_mustache),
    ROW("transfer-card.mustache", transfer_card_mustache),
    ROW("transfer-questions.mustache", transfer_questions_mustache),
    ROW("transfers.mustache", transfers_mustache),
    ROW("upload-ended.mustache", upload_ended_mustache),
    ROW("use-template.mustache", use_template_mustache),
    ROW("users.mustache", users_mustache),
    ROW("en.json", en_json),
    ROW("hi.json", hi_json),
    ROW("icon.png", icon_png),
    ROW("icon.svg", icon_svg),
    ROW("page.js", page_js),
    ROW("passkey.js", passkey_js),
    ROW("style.css", style_css),
};

const struct spendwise_web_resource *spendwise_web_resource(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}
